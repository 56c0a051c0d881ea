#include "convoy/kernels/reference/loss.h"

#include <algorithm>
#include <cmath>

namespace convoy::kernels::reference {
namespace {

// The probability that the target gives to a class.
double target(const LossProblem& problem, std::int64_t i, std::int32_t label, const OtherLabel& other) {
  const double belongs = (i == label ? 1 - double{other.share} : 0) + (i == other.label ? double{other.share} : 0);
  if (problem.kind == LossProblem::Kind::mean_squared_error) return belongs;
  const double smoothing = problem.label_smoothing;
  return (1 - smoothing) * belongs + smoothing / static_cast<double>(problem.classes);
}

OtherLabel other_of(const OtherLabels& others, std::size_t sample) {
  return others.empty() ? OtherLabel{} : others[sample];
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

Values loss(const LossProblem& problem, const Values& logits, const Labels& labels, const OtherLabels& others) {
  Values losses(static_cast<std::size_t>(problem.batch));
  for_logits(problem, logits, [&](std::size_t n, std::int64_t i, const double* x) {
    const double t = target(problem, i, labels[n], other_of(others, n));
    losses[n] += problem.kind == LossProblem::Kind::softmax_cross_entropy
                     ? t * (log_sum_of_exponentials(x, problem.classes) - x[i])
                     : (x[i] - t) * (x[i] - t) / static_cast<double>(problem.classes);
  });
  return losses;
}

Values loss_gradient(const LossProblem& problem, const Values& logits, const Labels& labels,
                     const OtherLabels& others) {
  Values gradient;
  for_logits(problem, logits, [&](std::size_t n, std::int64_t i, const double* x) {
    const double t = target(problem, i, labels[n], other_of(others, n));
    gradient.push_back(problem.kind == LossProblem::Kind::softmax_cross_entropy
                           ? std::exp(x[i] - log_sum_of_exponentials(x, problem.classes)) - t
                           : 2 * (x[i] - t) / static_cast<double>(problem.classes));
  });
  return gradient;
}

}  // namespace convoy::kernels::reference
