#include "convoy/kernels/loss.h"

#include <algorithm>
#include <cmath>

#include "convoy/kernels/loop_operator.h"
#include "convoy/kernels/parallel.h"

namespace convoy::kernels {
namespace {

// The target of a row of logits: the shares of the classes that the sample belongs to.
struct Target {
  std::int64_t label;
  OtherLabel other;

  [[nodiscard]] float of(std::int64_t i) const {
    return (i == label ? 1.0F - other.share : 0.0F) + (i == other.label ? other.share : 0.0F);
  }
};

// With a smoothing of s, the target gives 1 - s to the classes that the sample belongs to and s / classes to every
// class.
float cross_entropy_row(const LossProblem& problem, const float* x, const Target& target, float* gradient) {
  const std::int64_t k = problem.classes;
  const float top = *std::max_element(x, x + k);
  double sum = 0;
  double x_sum = 0;
  for (std::int64_t i = 0; i < k; ++i) {
    gradient[i] = std::exp(x[i] - top);
    sum += gradient[i];
    x_sum += x[i];
  }
  const double log_sum = std::log(sum) + top;
  const double rest = problem.label_smoothing / static_cast<double>(k);
  const double hit = 1.0 - problem.label_smoothing;
  const double other = hit * target.other.share;
  for (std::int64_t i = 0; i < k; ++i) gradient[i] = static_cast<float>(gradient[i] / sum - rest);
  gradient[target.label] -= static_cast<float>(hit - other);
  gradient[target.other.label] -= static_cast<float>(other);
  return static_cast<float>(log_sum - (hit - other) * x[target.label] - other * x[target.other.label] - rest * x_sum);
}

// target(i) is the target of element i.
template <typename TargetOf>
float squared_error_row(const LossProblem& problem, const float* x, const TargetOf& target, float* gradient) {
  double sum = 0;
  for (std::int64_t i = 0; i < problem.classes; ++i) {
    const float difference = x[i] - target(i);
    gradient[i] = 2.0F * difference / static_cast<float>(problem.classes);
    sum += static_cast<double>(difference) * difference;
  }
  return static_cast<float>(sum / static_cast<double>(problem.classes));
}

std::size_t row_bytes(const LossProblem& problem) {
  return static_cast<std::size_t>(problem.batch * problem.classes) * sizeof(float);
}

PreparedPtr prepare_loss_of_floats(const LossProblem& problem) {
  const auto run = [problem](const Bindings& memory) {
    parallel_for(problem.batch, [&](std::int64_t n) {
      const std::int64_t at = n * problem.classes;
      const float* const target = memory.as<const float>(Role::source2) + at;
      memory.as<float>(Role::destination)[n] = squared_error_row(
          problem, memory.as<const float>(Role::source) + at, [&](std::int64_t i) { return target[i]; },
          memory.as<float>(Role::workspace) + at);
    });
  };
  const Layout rows = Layout::plain({problem.batch, problem.classes});
  return std::make_shared<LoopOperator>(
      "convoy:loss",
      std::vector<std::pair<Role, Layout>>{
          {Role::source, rows}, {Role::source2, rows}, {Role::destination, Layout::plain({problem.batch})}},
      std::vector<std::pair<Role, std::size_t>>{{Role::workspace, row_bytes(problem)}}, run);
}

}  // namespace

PreparedPtr prepare_loss(const LossProblem& problem) {
  if (problem.float_targets) return prepare_loss_of_floats(problem);
  const auto run = [problem](const Bindings& memory) {
    parallel_for(problem.batch, [&](std::int64_t n) {
      const float* x = memory.as<const float>(Role::source) + n * problem.classes;
      float* gradient = memory.as<float>(Role::workspace) + n * problem.classes;
      const Target target{.label = memory.as<const std::int32_t>(Role::labels)[n],
                          .other = memory.as<const OtherLabel>(Role::other_labels)[n]};
      memory.as<float>(Role::destination)[n] =
          problem.kind == LossProblem::Kind::softmax_cross_entropy
              ? cross_entropy_row(problem, x, target, gradient)
              : squared_error_row(
                    problem, x, [&](std::int64_t i) { return target.of(i); }, gradient);
    });
  };
  return std::make_shared<LoopOperator>(
      "convoy:loss",
      std::vector<std::pair<Role, Layout>>{{Role::source, Layout::plain({problem.batch, problem.classes})},
                                           {Role::destination, Layout::plain({problem.batch})}},
      std::vector<std::pair<Role, std::size_t>>{
          {Role::labels, static_cast<std::size_t>(problem.batch) * sizeof(std::int32_t)},
          {Role::other_labels, static_cast<std::size_t>(problem.batch) * sizeof(OtherLabel)},
          {Role::workspace, row_bytes(problem)}},
      run);
}

PreparedPtr prepare_loss_backward(const LossProblem& problem) {
  const auto run = [problem](const Bindings& memory) {
    const auto& info = *memory.as<const StepInfo>(Role::step_info);
    const float scale = info.counts ? info.gradient_scale : 0.0F;
    const auto* gradient = memory.as<const float>(Role::workspace);
    auto* out = memory.as<float>(Role::diff_source);
    parallel_for(problem.batch, [&](std::int64_t n) {
      for (std::int64_t i = n * problem.classes; i < (n + 1) * problem.classes; ++i) out[i] = gradient[i] * scale;
    });
  };
  return std::make_shared<LoopOperator>(
      "convoy:loss_backward",
      std::vector<std::pair<Role, Layout>>{{Role::diff_source, Layout::plain({problem.batch, problem.classes})}},
      std::vector<std::pair<Role, std::size_t>>{{Role::workspace, row_bytes(problem)},
                                                {Role::step_info, sizeof(StepInfo)}},
      run);
}

}  // namespace convoy::kernels
