#include "convoy/kernels/amx/candidates.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "convoy/kernels/amx/convolution.h"
#include "convoy/kernels/amx/gradient.h"
#include "convoy/kernels/amx/merged_taps.h"
#include "convoy/kernels/amx/outer_product.h"
#include "convoy/kernels/amx/patch_convolution.h"
#include "convoy/kernels/amx/patch_gradient.h"
#include "convoy/kernels/amx/product.h"
#include "convoy/kernels/own_convolution.h"
#include "convoy/kernels/own_dense.h"
#include "convoy/kernels/parallel.h"

namespace convoy::kernels {
namespace {

constexpr const char* kName = "convoy:amx";

PreparedPtr dense_forward(const simd::AmxLoops& loops, const DenseProblem& p, int threads) {
  const DenseLayouts layouts(p);
  const AmxProduct product(loops, {.rows = p.batch, .columns = p.out, .depth = layouts.in, .depth_contiguous = true},
                           threads);
  const bool floats = p.destination_type == DataType::fp32;
  return own_dense_operator(
      kName,
      {{Role::source, layouts.source},
       {Role::weights, layouts.weights},
       {Role::bias, layouts.bias},
       {Role::destination, layouts.destination}},
      product.scratch_bytes(), [product, floats, bias = p.bias, activation = p.activation](const Bindings& memory) {
        product.run(memory.as<const BFloat16>(Role::source), memory.as<const BFloat16>(Role::weights),
                    {.bias = bias ? memory.as<const float>(Role::bias) : nullptr,
                     .activation = activation,
                     .floats = floats ? memory.as<float>(Role::destination) : nullptr,
                     .halves = floats ? nullptr : memory.as<BFloat16>(Role::destination)},
                    memory.as<float>(Role::scratchpad));
      });
}

PreparedPtr dense_backward_data(const simd::AmxLoops& loops, const DenseProblem& p, int threads) {
  const DenseLayouts layouts(p);
  const AmxProduct product(loops, {.rows = p.batch, .columns = layouts.in, .depth = p.out, .depth_contiguous = false},
                           threads);
  return own_dense_operator(kName,
                            {{Role::diff_destination, layouts.gradient},
                             {Role::weights, layouts.weights},
                             {Role::diff_source, layouts.source}},
                            product.scratch_bytes(), [product](const Bindings& memory) {
                              product.run(memory.as<const BFloat16>(Role::diff_destination),
                                          memory.as<const BFloat16>(Role::weights),
                                          {.bias = nullptr,
                                           .activation = Activation::none,
                                           .floats = nullptr,
                                           .halves = memory.as<BFloat16>(Role::diff_source)},
                                          memory.as<float>(Role::scratchpad));
                            });
}

// Sums all rows.
void add_up(const BFloat16* rows, std::int64_t count, std::int64_t columns, float* sums) {
  constexpr std::int64_t kChunk = 64;
  parallel_ranges(columns, kChunk, [&](std::int64_t first, std::int64_t last) {
    std::fill(sums + first, sums + last, 0.0F);
    for (std::int64_t row = 0; row < count; ++row) {
      for (std::int64_t c = first; c < last; ++c) sums[c] += to_float(rows[row * columns + c]);
    }
  });
}

PreparedPtr dense_backward_weights(const simd::AmxLoops& loops, const DenseProblem& p, int threads) {
  const DenseLayouts layouts(p);
  const AmxOuterProduct product(loops, p.batch, p.out, layouts.in, threads);
  return own_dense_operator(kName,
                            {{Role::source, layouts.source},
                             {Role::diff_destination, layouts.gradient},
                             {Role::diff_weights, layouts.weights.with(DataType::fp32)},
                             {Role::diff_bias, layouts.bias}},
                            product.scratch_bytes(), [product, p](const Bindings& memory) {
                              const auto* gradient = memory.as<const BFloat16>(Role::diff_destination);
                              product.run(gradient, memory.as<const BFloat16>(Role::source),
                                          memory.as<float>(Role::diff_weights), memory.as<float>(Role::scratchpad));
                              if (p.bias) add_up(gradient, p.batch, p.out, memory.as<float>(Role::diff_bias));
                            });
}

// Where the rows of registers are pixels of the whole batch. Larger images fill strips well.
std::optional<PreparedPtr> patch_candidate(const simd::AmxLoops& loops, const ConvolutionProblem& p, Pass pass,
                                           int threads) {
  constexpr std::int64_t kSmallImage = 64;
  if (p.out_h * p.out_w > kSmallImage || !Patches::exist(p, pass)) return std::nullopt;
  const auto layouts = ConvolutionLayouts::blocked(p);
  const char* name = "convoy:amx_patches";
  if (pass == Pass::backward_weights) {
    return weights_gradient_operator<BFloat16>(name, p, layouts, AmxPatchGradient(loops, p, threads));
  }
  return convolution_operator<BFloat16>(name, p, pass, layouts, AmxPatchConvolution(loops, p, pass, threads));
}

std::vector<PreparedPtr> strip_candidates(const simd::AmxLoops& loops, const ConvolutionProblem& p, Pass pass,
                                          int threads) {
  const auto layouts = ConvolutionLayouts::blocked(p);
  std::vector<PreparedPtr> found;
  if (pass == Pass::backward_weights) {
    found.push_back(weights_gradient_operator<BFloat16>(kName, p, layouts, AmxGradient(loops, p, threads)));
  } else {
    found.push_back(convolution_operator<BFloat16>(kName, p, pass, layouts, AmxConvolution(loops, p, pass, threads)));
  }
  if (pass == Pass::backward_data || !MergedTaps::applies(p)) return found;
  const ConvolutionLayouts plain{Layout::plain(p.source_dims(), p.type), Layout::plain(p.weights_dims(), p.type),
                                 layouts.destination};
  const char* name = "convoy:amx_merged";
  if (pass == Pass::forward) {
    found.push_back(convolution_operator<BFloat16>(name, p, pass, plain, MergedConvolution(loops, p, threads)));
  } else {
    found.push_back(weights_gradient_operator<BFloat16>(name, p, plain, MergedGradient(loops, p, threads)));
  }
  return found;
}

}  // namespace

std::vector<PreparedPtr> amx_candidates(const Device& device, const DenseProblem& p, Pass pass) {
  const simd::AmxLoops* loops = simd::amx_loops();
  if (loops == nullptr || p.type != DataType::bf16) return {};
  switch (pass) {
    case Pass::forward:
      return {dense_forward(*loops, p, device.threads())};
    case Pass::backward_data:
      return {dense_backward_data(*loops, p, device.threads())};
    case Pass::backward_weights:
      return {dense_backward_weights(*loops, p, device.threads())};
  }
  return {};
}

std::vector<PreparedPtr> amx_candidates(const Device& device, const ConvolutionProblem& p, Pass pass) {
  const simd::AmxLoops* loops = simd::amx_loops();
  if (loops == nullptr || p.type != DataType::bf16 || p.groups != 1) return {};
  std::vector<PreparedPtr> found = strip_candidates(*loops, p, pass, device.threads());
  if (const auto patches = patch_candidate(*loops, p, pass, device.threads())) found.push_back(*patches);
  return found;
}

}  // namespace convoy::kernels
