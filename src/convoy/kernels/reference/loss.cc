#include "convoy/kernels/reference/loss.h"

#include <algorithm>
#include <cmath>

namespace convoy::kernels::reference {
namespace {

// The probability that the target gives to a class.
double target(const LossProblem& problem, std::int64_t i, std::int32_t label) {
  if (problem.kind == LossProblem::Kind::mean_squared_error) return i == label ? 1 : 0;
  const double smoothing = problem.label_smoothing;
  return (i == label ? 1 - smoothing : 0) + smoothing / static_cast<double>(problem.classes);
}

double log_sum_of_exponentials(const double* x, std::int64_t count) {
  const double top = *std::max_element(x, x + count);
  double sum = 0;
  for (std::int64_t i = 0; i < count; ++i) sum += std::exp(x[i] - top);
  return top + std::log(sum);
}

// Calls body(sample, class, logits of the sample) for every class of every sample.
template <typename Body>
void for_logits(const LossProblem& problem, const Values& logits, const Body& body) {
  for (std::int64_t n = 0; n < problem.batch; ++n) {
    for (std::int64_t i = 0; i < problem.classes; ++i) {
      body(static_cast<std::size_t>(n), i, logits.data() + n * problem.classes);
    }
  }
}

}  // namespace

Values loss(const LossProblem& problem, const Values& logits, const Labels& labels) {
  Values losses(static_cast<std::size_t>(problem.batch));
  for_logits(problem, logits, [&](std::size_t n, std::int64_t i, const double* x) {
    const double t = target(problem, i, labels[n]);
    losses[n] += problem.kind == LossProblem::Kind::softmax_cross_entropy
                     ? t * (log_sum_of_exponentials(x, problem.classes) - x[i])
                     : (x[i] - t) * (x[i] - t) / static_cast<double>(problem.classes);
  });
  return losses;
}

Values loss_gradient(const LossProblem& problem, const Values& logits, const Labels& labels) {
  Values gradient;
  for_logits(problem, logits, [&](std::size_t n, std::int64_t i, const double* x) {
    const double t = target(problem, i, labels[n]);
    gradient.push_back(problem.kind == LossProblem::Kind::softmax_cross_entropy
                           ? std::exp(x[i] - log_sum_of_exponentials(x, problem.classes)) - t
                           : 2 * (x[i] - t) / static_cast<double>(problem.classes));
  });
  return gradient;
}

}  // namespace convoy::kernels::reference
