#include "convoy/kernels/convolution.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "convoy/base/check.h"
#include "convoy/kernels/amx/candidates.h"
#include "convoy/kernels/onednn/implementation_search.h"
#include "convoy/kernels/onednn/layout_impl.h"
#include "convoy/kernels/pairs/candidates.h"
#include "convoy/kernels/patch_gradient.h"
#include "convoy/kernels/pointwise/candidates.h"
#include "convoy/kernels/reorder.h"
#include "convoy/kernels/winograd/candidates.h"

namespace convoy::kernels {
namespace {

using Desc = dnnl::memory::desc;
using Dims = dnnl::memory::dims;

// Everything that oneDNN needs to know about a convolution, with the layouts of one family of implementations.
struct Setting {
  const ConvolutionProblem& problem;
  dnnl::algorithm algorithm;
  Desc source;
  Desc destination;

  [[nodiscard]] Dims strides() const { return {problem.stride_h, problem.stride_w}; }
  [[nodiscard]] Dims dilates() const { return {problem.dilation_h - 1, problem.dilation_w - 1}; }
  [[nodiscard]] Dims pad_before() const { return {problem.pad_top, problem.pad_left}; }
  [[nodiscard]] Dims pad_after() const { return {problem.pad_bottom, problem.pad_right}; }
  [[nodiscard]] Desc weights() const { return any_layout(problem.weights_dims(), problem.type); }
  [[nodiscard]] Desc weights_gradient() const { return any_layout(problem.weights_dims()); }
  [[nodiscard]] Desc bias() const { return problem.bias ? any_layout({problem.out_channels}) : Desc(); }

  [[nodiscard]] dnnl::convolution_forward::desc forward() const {
    return {dnnl::prop_kind::forward_training,
            algorithm,
            source,
            weights(),
            bias(),
            destination,
            strides(),
            dilates(),
            pad_before(),
            pad_after()};
  }
  [[nodiscard]] dnnl::convolution_backward_data::desc backward_data() const {
    return {algorithm, source, weights(), destination, strides(), dilates(), pad_before(), pad_after()};
  }
  [[nodiscard]] dnnl::convolution_backward_weights::desc backward_weights() const {
    return {algorithm, source,    weights_gradient(), bias(),     destination,
            strides(), dilates(), pad_before(),       pad_after()};
  }
};

// oneDNN wants a forward pass as a hint for backward passes; any implementation of it will do.
dnnl::convolution_forward::primitive_desc forward_hint(const Setting& setting, const dnnl::engine& engine) {
  const ConvolutionProblem& p = setting.problem;
  const Setting any{p, dnnl::algorithm::convolution_direct, any_layout(p.source_dims(), p.type),
                    any_layout(p.destination_dims(), p.type)};
  return {any.forward(), engine};
}

void search(ImplementationSearch& found, const Setting& setting, Pass pass) {
  const dnnl::engine& engine = found.device().impl().engine;
  switch (pass) {
    case Pass::forward:
      found.add(dnnl::convolution_forward::primitive_desc(setting.forward(),
                                                          with_activation(setting.problem.activation), engine),
                forward_arguments());
      break;
    case Pass::backward_data:
      found.add(dnnl::convolution_backward_data::primitive_desc(setting.backward_data(), shared_scratchpad(), engine,
                                                                forward_hint(setting, engine)),
                backward_data_arguments());
      break;
    case Pass::backward_weights:
      found.add(dnnl::convolution_backward_weights::primitive_desc(setting.backward_weights(), shared_scratchpad(),
                                                                   engine, forward_hint(setting, engine)),
                backward_weights_arguments());
      break;
  }
}

// The layouts that are worth trying. If there are few input channels, it is best to read them as they are, in plain
// order.
struct LayoutFamily {
  const char* name;
  Layout source;
  Layout destination;
  bool channels_last = false;
  bool last_resort = false;  // matrix products image by image: tried only if the others find nothing
};

// With a single channel or a single pixel, plain order and channels last are the same memory.
bool same_in_both_orders(const Layout::Dims& dims) { return dims[1] == 1 || dims[2] * dims[3] == 1; }

std::vector<LayoutFamily> layout_families(const ConvolutionProblem& problem) {
  const auto s = problem.source_dims();
  const auto d = problem.destination_dims();
  std::vector<LayoutFamily> families;
  const DataType type = problem.type;
  if (problem.in_channels <= 4) families.push_back({"image", Layout::plain(s, type), Layout::blocked(d, type)});
  families.push_back({"blocked", Layout::blocked(s, type), Layout::blocked(d, type)});
  families.push_back({"nhwc", Layout::channels_last(s, type), Layout::channels_last(d, type), true});
  // If plain order and channels last are the same memory, oneDNN's gemm implementation confuses the two and writes out
  // of bounds. The family above already covers that memory.
  if (!same_in_both_orders(s) || !same_in_both_orders(d)) {
    families.push_back({"nchw", Layout::plain(s, type), Layout::plain(d, type), false, true});
  }
  return families;
}

bool onednn_winograd_possible(const ConvolutionProblem& p, Pass pass) {
  // Here oneDNN 2.6 uses the bottom padding as top padding and computes wrong gradients.
  if (pass == Pass::backward_data && p.pad_top != p.pad_bottom) return false;
  return p.kernel_h == 3 && p.kernel_w == 3 && p.stride_h == 1 && p.stride_w == 1 && p.dilation_h == 1 &&
         p.dilation_w == 1 && p.groups == 1;
}

// With so many channels, every such layer of the zoo was fastest with a winograd kernel, two to four times as fast as
// direct ones. Direct kernels on blocked layouts still race, but those with reorders around them would only cost time.
bool winograd_wins(const ConvolutionProblem& p) {
  constexpr std::int64_t kManyChannels = 64;
  return onednn_winograd_possible(p, Pass::forward) && std::min(p.in_channels, p.out_channels) >= kManyChannels &&
         std::min(p.out_h, p.out_w) >= 4;
}

}  // namespace

const char* name_of(Pass pass) {
  switch (pass) {
    case Pass::forward:
      return "forward";
    case Pass::backward_data:
      return "backward data";
    case Pass::backward_weights:
      return "backward weights";
  }
  return "";
}

Layout::Dims ConvolutionProblem::weights_dims() const {
  if (groups == 1) return {out_channels, in_channels, kernel_h, kernel_w};
  return {groups, out_channels / groups, in_channels / groups, kernel_h, kernel_w};
}

double ConvolutionProblem::flops() const {
  const std::int64_t taps = in_channels / groups * kernel_h * kernel_w;
  return 2.0 * static_cast<double>(batch * out_channels * out_h * out_w) * static_cast<double>(taps);
}

std::string ConvolutionProblem::key() const {
  return fmt::format("conv n{} i{}x{}x{} o{}x{}x{} k{}x{} s{}x{} p{},{},{},{} d{}x{} g{} b{} a{}", batch, in_channels,
                     in_h, in_w, out_channels, out_h, out_w, kernel_h, kernel_w, stride_h, stride_w, pad_top, pad_left,
                     pad_bottom, pad_right, dilation_h, dilation_w, groups, bias ? 1 : 0,
                     static_cast<int>(activation)) +
         (type == DataType::bf16 ? " bf16" : "");
}

namespace {

ImplementationSearch onednn_search(const Device& device, const ConvolutionProblem& problem, Pass pass,
                                   Arithmetic arithmetic) {
  device.use();
  ImplementationSearch found(device);
  for (const LayoutFamily& family : layout_families(problem)) {
    if (family.last_resort && found.any()) continue;
    if (family.channels_last && arithmetic == Arithmetic::any && winograd_wins(problem)) continue;
    Setting setting{problem, dnnl::algorithm::convolution_direct, to_desc(family.source), to_desc(family.destination)};
    found.start(fmt::format("direct {}", family.name));
    found.attempt([&] { search(found, setting, pass); });
    if (arithmetic == Arithmetic::any && onednn_winograd_possible(problem, pass)) {
      setting.algorithm = dnnl::algorithm::convolution_winograd;
      found.start(fmt::format("winograd {}", family.name));
      found.attempt([&] { search(found, setting, pass); });
    }
  }
  return found;
}

void append(std::vector<PreparedPtr>& all, const std::vector<PreparedPtr>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

// Removes matrix products image by image: they have lost every race against the other implementations and take the
// longest to lose it.
void leave_out_products(std::vector<PreparedPtr>& all) {
  const auto is_product = [](const PreparedPtr& one) {
    return one->implementation().find("gemm") != std::string::npos;
  };
  if (!std::ranges::all_of(all, is_product)) std::erase_if(all, is_product);
}

// Removes the implementations whose names are those of others with `part` replaced by `loser`.
void leave_out_beaten(std::vector<PreparedPtr>& all, const std::string& part, const std::string& loser) {
  std::vector<std::string> beaten;
  for (const PreparedPtr& one : all) {
    std::string name = one->implementation();
    const std::size_t at = name.find(part);
    if (at != std::string::npos) beaten.push_back(name.replace(at, part.size(), loser));
  }
  std::erase_if(all, [&](const PreparedPtr& one) { return std::ranges::count(beaten, one->implementation()) > 0; });
}

// Whether a kernel in channels-last order would need copies before and after it. An image of one block of channels is
// in both orders at once.
bool copies_for_channels_last(const ConvolutionProblem& p) {
  return p.groups == 1 && std::min(p.in_channels, p.out_channels) > channel_block();
}

// Removes what has lost every race: kernels for windows of any size where there is one for windows of 1x1 (of the 192
// passes of ResNet-50, MobileNetV2 and GoogLeNet with both, they won one, by 1 %), and channels-last twins of kernels
// on blocked layouts, which do the same and need copies.
void leave_out_losers(const ConvolutionProblem& problem, std::vector<PreparedPtr>& all) {
  leave_out_products(all);
  leave_out_beaten(all, "jit_1x1:", "jit:");
  if (copies_for_channels_last(problem)) leave_out_beaten(all, "direct blocked", "direct nhwc");
}

// Candidates with direct arithmetic, or oneDNN's winograd.
std::vector<PreparedPtr> library_candidates(const Device& device, const ConvolutionProblem& problem, Pass pass,
                                            Arithmetic arithmetic) {
  ImplementationSearch found = onednn_search(device, problem, pass, arithmetic);
  std::vector<PreparedPtr> all = problem.type == DataType::fp32 ? found.take() : found.take_fast();
  leave_out_losers(problem, all);
  append(all, pointwise_candidates(device, problem, pass));
  if (pass == Pass::backward_weights) append(all, patch_gradient_candidates(device, problem));
  return all;
}

// Candidates that compute in floats, with conversions around them.
std::vector<PreparedPtr> widened_candidates(const Device& device, const ConvolutionProblem& problem, Pass pass,
                                            Arithmetic arithmetic) {
  ConvolutionProblem wide = problem;
  wide.type = DataType::fp32;
  std::vector<PreparedPtr> all;
  for (const PreparedPtr& candidate : library_candidates(device, wide, pass, arithmetic)) {
    all.push_back(adapt_to_bf16(device, candidate, DataType::bf16));
  }
  return all;
}

// Matrix registers multiply ten times as fast as vectors. If there are enough channels to fill them, only winograd
// comes close.
std::vector<PreparedPtr> direct_candidates(const Device& device, const ConvolutionProblem& problem, Pass pass,
                                           Arithmetic arithmetic) {
  constexpr std::int64_t kEnoughChannels = 16;
  std::vector<PreparedPtr> all = amx_candidates(device, problem, pass);
  const bool fills = std::min(problem.in_channels, problem.out_channels) >= kEnoughChannels;
  if (fills && !all.empty()) {
    std::ranges::copy_if(library_candidates(device, problem, pass, arithmetic), std::back_inserter(all),
                         [](const PreparedPtr& one) { return one->implementation().find("amx") != std::string::npos; });
    return all;
  }
  append(all, paired_candidates(device, problem, pass));
  if (problem.type == DataType::fp32 || has_bf16_kernels()) {
    append(all, library_candidates(device, problem, pass, arithmetic));
  }
  if (problem.type == DataType::bf16) append(all, widened_candidates(device, problem, pass, arithmetic));
  return all;
}

}  // namespace

std::vector<PreparedPtr> candidates(const Device& device, const ConvolutionProblem& problem, Pass pass,
                                    Arithmetic arithmetic) {
  std::vector<PreparedPtr> all = direct_candidates(device, problem, pass, arithmetic);
  if (arithmetic == Arithmetic::any) append(all, winograd_candidates(device, problem, pass));
  return all;
}

}  // namespace convoy::kernels
