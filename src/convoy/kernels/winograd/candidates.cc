#include "convoy/kernels/winograd/candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

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

// The number of multiplications for each pair of channels and sample.
std::int64_t products(const simd::WinogradLoops& loops, std::int64_t height, std::int64_t width) {
  const auto tiles = [&](std::int64_t size) { return (size + loops.outputs - 1) / loops.outputs; };
  return tiles(height) * tiles(width) * loops.points * loops.points;
}

// Schemes that do not need many more multiplications than the best one: small tiles for small images, large ones for
// large. They do not depend on the batch, so that a scheme chosen for one batch exists for all others.
std::vector<const simd::WinogradLoops*> schemes(std::int64_t taps, std::int64_t height, std::int64_t width) {
  constexpr double kTolerated = 1.2;
  std::vector<const simd::WinogradLoops*> found;
  std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
  for (const int outputs : {2, 4, 6}) {
    const auto* loops = simd::winograd_loops(static_cast<int>(taps), outputs);
    if (loops == nullptr) continue;
    found.push_back(loops);
    fewest = std::min(fewest, products(*loops, height, width));
  }
  std::erase_if(found, [&](const auto* loops) {
    return static_cast<double>(products(*loops, height, width)) > kTolerated * static_cast<double>(fewest);
  });
  return found;
}

std::string name_of(const WinogradPlan& plan) {
  const auto& loops = plan.loops();
  return fmt::format("convoy:winograd_{0}x{0}_{1}x{1}", loops.outputs, loops.taps);
}

template <typename Element>
PreparedPtr prepare(const WinogradPlan& plan, const ConvolutionProblem& p, Pass pass) {
  const bool forward = pass == Pass::forward;
  const auto layouts = ConvolutionLayouts::blocked(p);
  const std::int64_t biases = p.bias && pass != Pass::backward_data ? p.out_channels : 0;
  if (pass == Pass::backward_weights) {
    return weights_gradient_operator<Element>(name_of(plan), p, layouts, WinogradGradient<Element>(plan, biases));
  }
  const WinogradConvolution<Element> convolution(plan, forward ? p.activation : Activation::none, biases);
  return convolution_operator<Element>(name_of(plan), p, pass, layouts, convolution);
}

}  // namespace

std::vector<PreparedPtr> winograd_candidates(const Device& device, const ConvolutionProblem& problem, Pass pass) {
  std::vector<PreparedPtr> found;
  if (!applies(problem)) return found;
  const bool turned = pass == Pass::backward_data;
  const std::int64_t height = turned ? problem.in_h : problem.out_h;
  const std::int64_t width = turned ? problem.in_w : problem.out_w;
  for (const auto* loops : schemes(problem.kernel_h, height, width)) {
    const WinogradPlan plan(*loops, problem, pass, device.threads());
    found.push_back(
        with_element(problem.type, [&]<typename Element>() { return prepare<Element>(plan, problem, pass); }));
  }
  return found;
}

}  // namespace convoy::kernels
