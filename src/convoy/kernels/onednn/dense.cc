#include <fmt/format.h>

#include "convoy/kernels/convolution.h"
#include "convoy/kernels/onednn/implementation_search.h"
#include "convoy/kernels/onednn/layout_impl.h"

namespace convoy::kernels {
namespace {

using Desc = dnnl::memory::desc;

struct DenseSetting {
  const DenseProblem& problem;
  Desc source;
  Desc weights;

  [[nodiscard]] Desc bias() const { return problem.bias ? any_layout({problem.out}) : Desc(); }
  [[nodiscard]] Desc destination() const { return to_desc(Layout::plain(problem.destination_dims())); }
  [[nodiscard]] dnnl::inner_product_forward::desc forward() const {
    return {dnnl::prop_kind::forward_training, source, weights, bias(), destination()};
  }
};

void search_dense(ImplementationSearch& found, const DenseSetting& s, Pass pass) {
  const dnnl::engine& engine = found.device().impl().engine;
  if (pass == Pass::forward) {
    found.add(dnnl::inner_product_forward::primitive_desc(s.forward(), with_activation(s.problem.activation), engine),
              forward_arguments());
    return;
  }
  const dnnl::inner_product_forward::primitive_desc hint(s.forward(), engine);
  if (pass == Pass::backward_data) {
    found.add(dnnl::inner_product_backward_data::primitive_desc({s.source, s.weights, s.destination()},
                                                                shared_scratchpad(), engine, hint),
              backward_data_arguments());
  } else {
    found.add(dnnl::inner_product_backward_weights::primitive_desc({s.source, s.weights, s.bias(), s.destination()},
                                                                   shared_scratchpad(), engine, hint),
              backward_weights_arguments());
  }
}

// In the layout of weights that forward chooses, where it is not among those found.
void search_like_forward(ImplementationSearch& found, const DenseSetting& s, Pass pass) {
  const dnnl::inner_product_forward::primitive_desc forward(s.forward(), found.device().impl().engine);
  const Role weights = pass == Pass::backward_data ? Role::weights : Role::diff_weights;
  if (found.any_with(weights, to_layout(forward.weights_desc()))) return;
  found.start("dense like forward");
  search_dense(found, {s.problem, s.source, forward.weights_desc()}, pass);
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
                     bias ? 1 : 0, static_cast<int>(activation));
}

std::vector<PreparedPtr> candidates(const Device& device, const DenseProblem& problem, Pass pass) {
  device.use();
  ImplementationSearch found(device);
  const auto dims = problem.source_dims();
  const Desc source = to_desc(problem.image ? Layout::blocked(dims) : Layout::plain(dims));
  found.start("dense");
  found.attempt([&] { search_dense(found, {problem, source, any_layout(problem.weights_dims())}, pass); });
  if (pass != Pass::forward) {
    // Slower by itself than in the layout it would choose, and often faster than with a reorder of the weights.
    found.attempt([&] { search_like_forward(found, {problem, source, any_layout(problem.weights_dims())}, pass); });
  }
  // Plain weights serve all three passes of the matrix-product implementation without a reorder.
  found.start("dense plain");
  found.attempt([&] { search_dense(found, {problem, source, to_desc(Layout::plain(problem.weights_dims()))}, pass); });
  return found.take();
}

}  // namespace convoy::kernels
