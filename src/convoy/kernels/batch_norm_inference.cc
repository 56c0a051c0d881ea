// Batch norm with the running statistics, which stay as they are.
#include <cmath>

#include "convoy/kernels/batch_norm.h"
#include "convoy/kernels/batch_norm_memory.h"
#include "convoy/kernels/loop_operator.h"
#include "convoy/kernels/parallel.h"
#include "convoy/kernels/simd/loops.h"

namespace convoy::kernels {
namespace {

// With fixed statistics a channel's batch norm is y = a x + b; this is a.
float running_slope(const BatchNormProblem& problem, const Bindings& memory, std::int64_t c) {
  return memory.as<const float>(Role::weights)[c] /
         std::sqrt(memory.as<const float>(Role::running_variance)[c] + problem.epsilon);
}

template <typename Element>
class Inference {
 public:
  Inference(const BatchNormProblem& problem, const PlaneGrid& grid) : problem_(problem), grid_(grid) {}

  void operator()(const Bindings& memory) const {
    auto* const slopes = memory.as<float>(Role::scratchpad);
    auto* const shifts = slopes + grid_.channels();
    for (std::int64_t c = 0; c < grid_.channels(); ++c) {
      const float a = running_slope(problem_, memory, c);
      slopes[c] = a;
      shifts[c] = memory.as<const float>(Role::bias)[c] - a * memory.as<const float>(Role::running_mean)[c];
    }
    parallel_for(grid_.planes(), [&](std::int64_t plane) {
      const std::int64_t at = plane * grid_.plane_elements();
      const std::int64_t c = plane % grid_.blocks * grid_.block;
      simd::loops<Element>().batch_norm_apply(
          {.x = memory.as<const Element>(Role::source) + at,
           .shortcut = problem_.shortcut ? memory.as<const Element>(Role::source2) + at : nullptr,
           .y = memory.as<Element>(Role::destination) + at,
           .pixels = grid_.pixels,
           .a = slopes + c,
           .b = shifts + c,
           .activation = problem_.activation});
    });
  }

 private:
  BatchNormProblem problem_;
  PlaneGrid grid_;
};

// dx = a g, with g the masked sum of the gradients.
template <typename Element>
class InferenceBackward {
 public:
  InferenceBackward(const BatchNormProblem& problem, const BatchNormGradientOptions& options, const PlaneGrid& grid)
      : problem_(problem), options_(options), grid_(grid) {}

  void operator()(const Bindings& memory) const {
    auto* slopes = memory.as<float>(Role::scratchpad);
    for (std::int64_t c = 0; c < grid_.channels(); ++c) slopes[c] = running_slope(problem_, memory, c);
    parallel_for(grid_.planes(), [&](std::int64_t plane) {
      const std::int64_t at = plane * grid_.plane_elements();
      simd::BatchNormGradient<Element> arguments = gradient(memory, at);
      if (options_.write_shortcut_gradient) {
        Element* masked = memory.as<Element>(Role::diff_source2) + at;
        scaled(arguments, kOnes, masked);
        arguments = unmasked(masked);
      }
      scaled(arguments, slopes + plane % grid_.blocks * grid_.block, memory.as<Element>(Role::diff_source) + at);
    });
  }

 private:
  static constexpr std::int64_t kWidest = 16;  // channels in a block
  static constexpr float kZeros[kWidest] = {};
  static constexpr float kOnes[kWidest] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

  [[nodiscard]] simd::BatchNormGradient<Element> gradient(const Bindings& memory, std::int64_t at) const {
    simd::BatchNormGradient<Element> result = unmasked(memory.as<const Element>(Role::diff_destination) + at);
    if (options_.two_gradients) result.gradient2 = memory.as<const Element>(Role::diff_destination2) + at;
    if (problem_.activation != Activation::none) result.y = memory.as<const Element>(Role::destination) + at;
    result.activation = problem_.activation;
    return result;
  }

  // The loop requires a source x, although with coefficients of zero it does not change the result. The gradient
  // serves, because it is in the cache already.
  [[nodiscard]] simd::BatchNormGradient<Element> unmasked(const Element* g) const {
    return {.x = g,
            .y = nullptr,
            .gradient = g,
            .gradient2 = nullptr,
            .masked = nullptr,
            .pixels = grid_.pixels,
            .a = kZeros,
            .b = kZeros,
            .activation = Activation::none};
  }

  static void scaled(const simd::BatchNormGradient<Element>& arguments, const float* slopes, Element* result) {
    simd::loops<Element>().batch_norm_gradient(arguments, slopes, kZeros, kZeros, result);
  }

  BatchNormProblem problem_;
  BatchNormGradientOptions options_;
  PlaneGrid grid_;
};

}  // namespace

PreparedPtr prepare_batch_norm_inference(const BatchNormProblem& problem) {
  const Layout layout = problem.layout();
  const PlaneGrid grid = PlaneGrid::of(layout);
  auto needs = channel_needs(problem, {Role::weights, Role::bias, Role::running_mean, Role::running_variance});
  needs.emplace_back(Role::scratchpad, 2 * channel_array_bytes(problem.channels));
  std::vector<std::pair<Role, Layout>> operands = {{Role::source, layout}, {Role::destination, layout}};
  if (problem.shortcut) operands.emplace_back(Role::source2, layout);
  return with_element(problem.type, [&]<typename Element>() {
    return std::make_shared<LoopOperator>("convoy:batch_norm_inference", operands, needs,
                                          Inference<Element>(problem, grid));
  });
}

PreparedPtr prepare_batch_norm_inference_backward(const BatchNormProblem& problem,
                                                  const BatchNormGradientOptions& options) {
  const Layout layout = problem.layout();
  const PlaneGrid grid = PlaneGrid::of(layout);
  const auto needs = channel_needs(problem, {Role::weights, Role::running_variance, Role::scratchpad});
  std::vector<std::pair<Role, Layout>> operands = {{Role::diff_destination, layout}, {Role::diff_source, layout}};
  if (problem.activation != Activation::none) operands.emplace_back(Role::destination, layout);
  if (options.two_gradients) operands.emplace_back(Role::diff_destination2, layout);
  if (options.write_shortcut_gradient) operands.emplace_back(Role::diff_source2, layout);
  return with_element(problem.type, [&]<typename Element>() {
    return std::make_shared<LoopOperator>("convoy:batch_norm_inference_backward", operands, needs,
                                          InferenceBackward<Element>(problem, options, grid));
  });
}

}  // namespace convoy::kernels
