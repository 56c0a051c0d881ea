#include "convoy/kernels/pairs/candidates.h"

#include <utility>

#include "convoy/kernels/device.h"
#include "convoy/kernels/own_convolution.h"
#include "convoy/kernels/own_dense.h"
#include "convoy/kernels/pairs/dense.h"
#include "convoy/kernels/pairs/gradient.h"

namespace convoy::kernels {
namespace {

bool has_pairs_only() { return simd::pair_packing() != nullptr && !has_matrix_registers(); }

constexpr const char* kDenseName = "convoy:paired_dense";

template <typename Result>
PreparedPtr dense_forward(const PairedDense& dense, const DenseProblem& p, const DenseLayouts& layouts) {
  return own_dense_operator(kDenseName,
                            {{Role::source, layouts.source},
                             {Role::weights, layouts.weights},
                             {Role::bias, layouts.bias},
                             {Role::destination, layouts.destination}},
                            dense.scratch_bytes(), [dense, bias = p.bias](const Bindings& memory) {
                              dense.run(memory.as<const BFloat16>(Role::source),
                                        memory.as<const BFloat16>(Role::weights),
                                        bias ? memory.as<const float>(Role::bias) : nullptr,
                                        memory.as<Result>(Role::destination), memory.as<float>(Role::scratchpad));
                            });
}

PreparedPtr dense_backward_data(const PairedDense& dense, const DenseLayouts& layouts) {
  return own_dense_operator(kDenseName,
                            {{Role::diff_destination, layouts.gradient},
                             {Role::weights, layouts.weights},
                             {Role::diff_source, layouts.source}},
                            dense.scratch_bytes(), [dense](const Bindings& memory) {
                              dense.run(memory.as<const BFloat16>(Role::diff_destination),
                                        memory.as<const BFloat16>(Role::weights), nullptr,
                                        memory.as<BFloat16>(Role::diff_source), memory.as<float>(Role::scratchpad));
                            });
}

// Without a stride winograd is faster. Every thread has sums of its own, which should stay in its cache.
bool is_worthwhile(const ConvolutionProblem& p) {
  constexpr std::int64_t kMostWeights = std::int64_t{1} << 20;
  const bool is_strided = p.stride_h > 1 || p.stride_w > 1;
  return is_strided && p.in_channels * p.out_channels * p.kernel_h * p.kernel_w <= kMostWeights;
}

}  // namespace

std::vector<PreparedPtr> paired_candidates(const Device& device, const ConvolutionProblem& p, Pass pass) {
  const bool fits = p.type == DataType::bf16 && p.groups == 1 && pass == Pass::backward_weights;
  if (!fits || !has_pairs_only()) return {};
  constexpr const char* kName = "convoy:paired_taps";
  if (PlainTaps::apply(p)) {
    const ConvolutionLayouts plain{Layout::plain(p.source_dims(), p.type), Layout::plain(p.weights_dims(), p.type),
                                   Layout::blocked(p.destination_dims(), p.type)};
    return {weights_gradient_operator<BFloat16>(kName, p, plain, PairedGradient<PlainTaps>(p, device.threads()))};
  }
  if (!is_worthwhile(p)) return {};
  return {weights_gradient_operator<BFloat16>(kName, p, ConvolutionLayouts::blocked(p),
                                              PairedGradient<BlockedTaps>(p, device.threads()))};
}

std::vector<PreparedPtr> paired_candidates(const Device& device, const DenseProblem& p, Pass pass) {
  const DenseLayouts layouts(p);
  const bool is_whole = layouts.in % (2 * simd::kPairedBlock) == 0;
  if (p.type != DataType::bf16 || pass == Pass::backward_weights || !is_whole || !has_pairs_only()) return {};
  const PairedDense dense(p, layouts.in, pass, device.threads());
  if (pass == Pass::backward_data) return {dense_backward_data(dense, layouts)};
  return {
      with_element(p.destination_type, [&]<typename Result>() { return dense_forward<Result>(dense, p, layouts); })};
}

}  // namespace convoy::kernels
