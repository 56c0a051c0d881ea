#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "convoy/kernels/amx/candidates.h"
#include "convoy/kernels/convolution.h"
#include "convoy/kernels/onednn/implementation_search.h"
#include "convoy/kernels/onednn/layout_impl.h"
#include "convoy/kernels/own_dense.h"
#include "convoy/kernels/pairs/candidates.h"
#include "convoy/kernels/reorder.h"
#include "convoy/kernels/streamed_dense.h"

namespace convoy::kernels {
namespace {

using Desc = dnnl::memory::desc;

struct DenseSetting {
  const DenseProblem& problem;
  Desc source;
  Desc weights;

  [[nodiscard]] Desc bias() const { return problem.bias ? any_layout({problem.out}) : Desc(); }
  [[nodiscard]] Desc destination() const {
    return to_desc(Layout::plain(problem.destination_dims(), problem.destination_type));
  }
  [[nodiscard]] Desc gradient() const { return to_desc(Layout::plain(problem.destination_dims(), problem.type)); }
  [[nodiscard]] dnnl::inner_product_forward::desc forward() const {
    return {dnnl::prop_kind::forward_training, source, weights, bias(), destination()};
  }
  // oneDNN wants a forward pass as a hint for backward passes.
  [[nodiscard]] dnnl::inner_product_forward::primitive_desc hint(const dnnl::engine& engine) const {
    const Desc any_weights = any_layout(problem.weights_dims(), problem.type);
    return {{dnnl::prop_kind::forward_training, source, any_weights, bias(), gradient()}, engine};
  }
};

void search_dense(ImplementationSearch& found, const DenseSetting& s, Pass pass) {
  const dnnl::engine& engine = found.device().impl().engine;
  if (pass == Pass::forward) {
    found.add(dnnl::inner_product_forward::primitive_desc(s.forward(), with_activation(s.problem.activation), engine),
              forward_arguments());
    return;
  }
  if (pass == Pass::backward_data) {
    found.add(dnnl::inner_product_backward_data::primitive_desc({s.source, s.weights, s.gradient()},
                                                                shared_scratchpad(), engine, s.hint(engine)),
              backward_data_arguments());
  } else {
    found.add(dnnl::inner_product_backward_weights::primitive_desc({s.source, s.weights, s.bias(), s.gradient()},
                                                                   shared_scratchpad(), engine, s.hint(engine)),
              backward_weights_arguments());
  }
}

// Gradients of weights are floats.
DataType weights_type(const DenseProblem& problem, Pass pass) {
  return pass == Pass::backward_weights ? DataType::fp32 : problem.type;
}

// Also searches with weights in that layout, unless an implementation with it has been found already.
void search_with(ImplementationSearch& found, const DenseSetting& s, Pass pass, const Layout& weights) {
  const Layout layout = weights.with(weights_type(s.problem, pass));
  if (found.any_with(pass == Pass::backward_weights ? Role::diff_weights : Role::weights, layout)) return;
  search_dense(found, {s.problem, s.source, to_desc(layout)}, pass);
}

}  // namespace

Layout::Dims DenseProblem::source_dims() const {
  if (image) return {batch, in_channels, in_h, in_w};
  return {batch, in_channels * in_h * in_w};
}

Layout::Dims DenseProblem::weights_dims() const {
  if (image) return {out, in_channels, in_h, in_w};
  return {out, in_channels * in_h * in_w};
}

double DenseProblem::flops() const {
  return 2.0 * static_cast<double>(batch * out) * static_cast<double>(in_channels * in_h * in_w);
}

std::string DenseProblem::key() const {
  return fmt::format("dense n{} i{}x{}x{}{} o{} b{} a{}", batch, in_channels, in_h, in_w, image ? " image" : "", out,
                     bias ? 1 : 0, static_cast<int>(activation)) +
         (type == DataType::bf16 ? " bf16" : "") + (destination_type == type ? "" : " to fp32");
}

namespace {

ImplementationSearch onednn_search(const Device& device, const DenseProblem& problem, Pass pass) {
  device.use();
  ImplementationSearch found(device);
  const auto dims = problem.source_dims();
  const Desc source = to_desc(problem.image ? Layout::blocked(dims, problem.type) : Layout::plain(dims, problem.type));
  const DataType type = weights_type(problem, pass);
  const Desc any_weights = any_layout(problem.weights_dims(), type);
  found.start("dense");
  found.attempt([&] { search_dense(found, {problem, source, any_weights}, pass); });
  if (pass != Pass::forward) {
    // These are slower than in the layout that the pass would choose itself, but often faster than reordering the
    // weights.
    const DenseSetting setting{problem, source, any_weights};
    found.start("dense like forward");
    found.attempt(
        [&] { search_with(found, setting, pass, to_layout(setting.hint(device.impl().engine).weights_desc())); });
    found.start("dense rows");
    if (problem.image) found.attempt([&] { search_with(found, setting, pass, DenseLayouts(problem).weights); });
  }
  // With plain weights, the matrix-product implementation needs no reorder in any of the three passes.
  found.start("dense plain");
  found.attempt([&] {
    search_dense(found, {problem, source, to_desc(Layout::plain(problem.weights_dims(), type))}, pass);
  });
  return found;
}

std::vector<PreparedPtr> bf16_candidates(const Device& device, const DenseProblem& problem, Pass pass) {
  std::vector<PreparedPtr> all = amx_candidates(device, problem, pass);
  const bool has_amx = !all.empty();
  std::ranges::move(paired_candidates(device, problem, pass), std::back_inserter(all));
  if (has_bf16_kernels()) std::ranges::move(onednn_search(device, problem, pass).take_fast(), std::back_inserter(all));
  std::ranges::move(streamed_dense_candidates(problem, pass), std::back_inserter(all));
  if (has_amx) return all;  // nothing that multiplies floats is nearly as fast
  DenseProblem wide = problem;
  wide.type = wide.destination_type = DataType::fp32;
  for (const PreparedPtr& candidate : onednn_search(device, wide, pass).take()) {
    all.push_back(adapt_to_bf16(device, candidate, problem.destination_type));
  }
  return all;
}

}  // namespace

std::vector<PreparedPtr> candidates(const Device& device, const DenseProblem& problem, Pass pass) {
  if (problem.type == DataType::bf16) return bf16_candidates(device, problem, pass);
  std::vector<PreparedPtr> all = onednn_search(device, problem, pass).take();
  std::ranges::move(streamed_dense_candidates(problem, pass), std::back_inserter(all));
  return all;
}

}  // namespace convoy::kernels
