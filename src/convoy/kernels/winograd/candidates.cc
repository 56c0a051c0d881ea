#include "convoy/kernels/winograd/candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "convoy/kernels/own_convolution.h"
#include "convoy/kernels/winograd/convolution.h"
#include "convoy/kernels/winograd/gradient.h"

namespace convoy::kernels {
namespace {

bool applies(const ConvolutionProblem& p) {
  // With fewer channels most of a vector would be padding.
  constexpr std::int64_t kFewestChannels = 8;
  return p.kernel_h == p.kernel_w && p.stride_h == 1 && p.stride_w == 1 && p.dilation_h == 1 && p.dilation_w == 1 &&
         p.groups == 1 && p.in_channels >= kFewestChannels && p.out_channels >= kFewestChannels;
}

// A way to compute a convolution: the size of its tiles, and whether what is multiplied at points is in pairs.
struct Scheme {
  const simd::WinogradLoops* loops;
  const simd::WinogradEnds<BFloat16, simd::BFloat16Pair>* pairs = nullptr;

  // How many instructions multiply, for each pair of channels and sample.
  [[nodiscard]] std::int64_t products(std::int64_t height, std::int64_t width) const {
    const auto tiles = [&](std::int64_t size) { return (size + loops->outputs - 1) / loops->outputs; };
    const std::int64_t numbers = tiles(height) * tiles(width) * loops->points * loops->points;
    return pairs == nullptr ? numbers : numbers / simd::kNumbersIn<simd::BFloat16Pair>;
  }
};

// Schemes that do not need many more products than the best one: small tiles for small images, large ones for large.
// They do not depend on the batch, so that a scheme chosen for one batch exists for all others.
std::vector<Scheme> schemes(const ConvolutionProblem& p, std::int64_t height, std::int64_t width) {
  constexpr double kTolerated = 1.2;
  // Matrix registers multiply faster than instructions for pairs, without winograd.
  const bool paired = p.type == DataType::bf16 && !has_matrix_registers();
  const int taps = static_cast<int>(p.kernel_h);
  std::vector<Scheme> found;
  std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
  for (const int outputs : {2, 4, 6}) {
    const auto* loops = simd::winograd_loops(taps, outputs);
    if (loops == nullptr) continue;
    const auto* pairs = paired ? simd::winograd_pairs(taps, outputs) : nullptr;
    if (pairs != nullptr) found.push_back({loops, pairs});
    found.push_back({loops});
    fewest = std::min(fewest, Scheme{loops, pairs}.products(height, width));
  }
  std::erase_if(found, [&](const Scheme& scheme) {
    return static_cast<double>(scheme.products(height, width)) > kTolerated * static_cast<double>(fewest);
  });
  return found;
}

// The implementation with these transforms at the ends and cells of type Cell between them.
template <typename Element, typename Cell>
PreparedPtr prepare(const simd::WinogradLoops& loops, const simd::WinogradEnds<Element, Cell>& ends,
                    const Device& device, const ConvolutionProblem& p, Pass pass) {
  const DataType multiplied = simd::kNumbersIn<Cell> == 1 ? DataType::fp32 : DataType::bf16;
  const WinogradPlan plan(loops, p, pass, device.threads(), multiplied);
  std::string name = fmt::format("convoy:winograd_{0}x{0}_{1}x{1}", loops.outputs, loops.taps);
  if (multiplied == DataType::bf16) name += "_bf16";
  const bool forward = pass == Pass::forward;
  const auto layouts = ConvolutionLayouts::blocked(p);
  const std::int64_t biases = p.bias && pass != Pass::backward_data ? p.out_channels : 0;
  if (pass == Pass::backward_weights) {
    const WinogradGradient<Element, Cell> gradient(plan, ends, biases);
    return weights_gradient_operator<Element>(std::move(name), p, layouts, gradient);
  }
  const WinogradConvolution<Element, Cell> convolution(plan, ends, forward ? p.activation : Activation::none, biases);
  return convolution_operator<Element>(std::move(name), p, pass, layouts, convolution);
}

}  // namespace

std::vector<PreparedPtr> winograd_candidates(const Device& device, const ConvolutionProblem& problem, Pass pass) {
  std::vector<PreparedPtr> found;
  if (!applies(problem)) return found;
  const bool turned = pass == Pass::backward_data;
  const std::int64_t height = turned ? problem.in_h : problem.out_h;
  const std::int64_t width = turned ? problem.in_w : problem.out_w;
  for (const auto& [loops, pairs] : schemes(problem, height, width)) {
    if (pairs != nullptr) {
      found.push_back(prepare(*loops, *pairs, device, problem, pass));
    } else if (problem.type == DataType::bf16) {
      found.push_back(prepare(*loops, loops->halves, device, problem, pass));
    } else {
      found.push_back(prepare(*loops, loops->floats, device, problem, pass));
    }
  }
  return found;
}

}  // namespace convoy::kernels
