#include "convoy/kernels/winograd/candidates.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "convoy/kernels/loop_operator.h"
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

// Multiplications for each pair of channels and sample.
std::int64_t products(const simd::WinogradLoops& loops, std::int64_t height, std::int64_t width) {
  const auto tiles = [&](std::int64_t size) { return (size + loops.outputs - 1) / loops.outputs; };
  return tiles(height) * tiles(width) * loops.points * loops.points;
}

// Schemes that do not multiply much more than the best of them: small tiles for small images, large ones for large.
// They do not depend on the batch, so that what was chosen for one batch exists for others.
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

using Operands = std::vector<std::pair<Role, Layout>>;
using Needs = std::vector<std::pair<Role, std::size_t>>;

Layout bias_layout(const ConvolutionProblem& p) { return p.bias ? Layout::plain({p.out_channels}) : Layout(); }
std::int64_t bias_count(const ConvolutionProblem& p) { return p.bias ? p.out_channels : 0; }

template <typename Element>
PreparedPtr prepare_forward(const WinogradPlan& plan, const ConvolutionProblem& p) {
  const WinogradConvolution<Element> convolution(plan, p.activation, bias_count(p));
  return std::make_shared<LoopOperator>(
      name_of(plan),
      Operands{{Role::source, Layout::blocked(p.source_dims(), p.type)},
               {Role::weights, Layout::blocked_weights(p.weights_dims(), p.type)},
               {Role::bias, bias_layout(p)},
               {Role::destination, Layout::blocked(p.destination_dims(), p.type)}},
      Needs{{Role::scratchpad, convolution.scratch_bytes()}}, [convolution, bias = p.bias](const Bindings& memory) {
        convolution.run(memory.as<const Element>(Role::source), memory.as<const Element>(Role::weights),
                        bias ? memory.as<const float>(Role::bias) : nullptr, memory.as<Element>(Role::destination),
                        memory.as<float>(Role::scratchpad));
      });
}

template <typename Element>
PreparedPtr prepare_backward_data(const WinogradPlan& plan, const ConvolutionProblem& p) {
  const WinogradConvolution<Element> convolution(plan, Activation::none, 0);
  return std::make_shared<LoopOperator>(
      name_of(plan),
      Operands{{Role::diff_destination, Layout::blocked(p.destination_dims(), p.type)},
               {Role::weights, Layout::blocked_weights(p.weights_dims(), p.type)},
               {Role::diff_source, Layout::blocked(p.source_dims(), p.type)}},
      Needs{{Role::scratchpad, convolution.scratch_bytes()}}, [convolution](const Bindings& memory) {
        convolution.run(memory.as<const Element>(Role::diff_destination), memory.as<const Element>(Role::weights),
                        nullptr, memory.as<Element>(Role::diff_source), memory.as<float>(Role::scratchpad));
      });
}

template <typename Element>
PreparedPtr prepare_backward_weights(const WinogradPlan& plan, const ConvolutionProblem& p) {
  const WinogradGradient<Element> gradient(plan, bias_count(p));
  return std::make_shared<LoopOperator>(
      name_of(plan),
      Operands{{Role::source, Layout::blocked(p.source_dims(), p.type)},
               {Role::diff_destination, Layout::blocked(p.destination_dims(), p.type)},
               {Role::diff_weights, Layout::blocked_weights(p.weights_dims())},
               {Role::diff_bias, bias_layout(p)}},
      Needs{{Role::scratchpad, gradient.scratch_bytes()}}, [gradient](const Bindings& memory) {
        gradient.run(memory.as<const Element>(Role::source), memory.as<const Element>(Role::diff_destination),
                     memory.as<float>(Role::diff_weights), memory.as<float>(Role::diff_bias),
                     memory.as<float>(Role::scratchpad));
      });
}

template <typename Element>
PreparedPtr prepare(const WinogradPlan& plan, const ConvolutionProblem& problem, Pass pass) {
  switch (pass) {
    case Pass::forward:
      return prepare_forward<Element>(plan, problem);
    case Pass::backward_data:
      return prepare_backward_data<Element>(plan, problem);
    case Pass::backward_weights:
      return prepare_backward_weights<Element>(plan, problem);
  }
  return nullptr;
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
