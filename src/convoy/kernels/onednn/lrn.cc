#include "convoy/kernels/lrn.h"

#include "convoy/kernels/onednn/layout_impl.h"
#include "convoy/kernels/onednn/primitive.h"
#include "convoy/kernels/reorder.h"

namespace convoy::kernels {
namespace {

dnnl::lrn_forward::primitive_desc forward_descriptor(const Device& device, const LrnProblem& p, bool training) {
  const dnnl::lrn_forward::desc desc(training ? dnnl::prop_kind::forward_training : dnnl::prop_kind::forward_inference,
                                     dnnl::algorithm::lrn_across_channels, to_desc(Layout::blocked(p.dims(), p.type)),
                                     p.size, p.alpha, p.beta, p.k);
  return {desc, shared_scratchpad(), device.impl().engine};
}

// In bf16 on a machine for which oneDNN has no such kernel: computes in floats, with images converted around it.
bool on_floats(const LrnProblem& problem) { return problem.type == DataType::bf16 && !has_bf16_kernels(); }

LrnProblem with_floats(LrnProblem problem) {
  problem.type = DataType::fp32;
  return problem;
}

}  // namespace

PreparedPtr prepare_lrn(const Device& device, const LrnProblem& problem, bool training) {
  if (on_floats(problem))
    return adapt_to_bf16(device, prepare_lrn(device, with_floats(problem), training), problem.type);
  device.use();
  const auto descriptor = forward_descriptor(device, problem, training);
  return std::make_shared<PreparedPrimitive>(
      device, descriptor,
      Arguments{{Role::source, DNNL_ARG_SRC}, {Role::destination, DNNL_ARG_DST}, {Role::workspace, DNNL_ARG_WORKSPACE}},
      std::string("lrn ") + descriptor.impl_info_str());
}

PreparedPtr prepare_lrn_backward(const Device& device, const LrnProblem& problem) {
  if (on_floats(problem))
    return adapt_to_bf16(device, prepare_lrn_backward(device, with_floats(problem)), problem.type);
  device.use();
  const auto blocked = to_desc(Layout::blocked(problem.dims(), problem.type));
  const dnnl::lrn_backward::desc desc(dnnl::algorithm::lrn_across_channels, blocked, blocked, problem.size,
                                      problem.alpha, problem.beta, problem.k);
  const dnnl::lrn_backward::primitive_desc descriptor(desc, shared_scratchpad(), device.impl().engine,
                                                      forward_descriptor(device, problem, true));
  return std::make_shared<PreparedPrimitive>(device, descriptor,
                                             Arguments{{Role::source, DNNL_ARG_SRC},
                                                       {Role::diff_destination, DNNL_ARG_DIFF_DST},
                                                       {Role::diff_source, DNNL_ARG_DIFF_SRC},
                                                       {Role::workspace, DNNL_ARG_WORKSPACE}},
                                             std::string("lrn ") + descriptor.impl_info_str());
}

}  // namespace convoy::kernels
