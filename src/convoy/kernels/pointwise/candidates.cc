#include "convoy/kernels/pointwise/candidates.h"

#include "convoy/kernels/own_convolution.h"
#include "convoy/kernels/pointwise/convolution.h"
#include "convoy/kernels/pointwise/gradient.h"

namespace convoy::kernels {
namespace {

constexpr const char* kName = "convoy:pointwise";

bool applies(const ConvolutionProblem& p) {
  // With fewer channels most of a vector would be padding.
  constexpr std::int64_t kFewestChannels = 8;
  const bool padded = p.pad_top != 0 || p.pad_left != 0 || p.pad_bottom > 0 || p.pad_right > 0;
  return p.kernel_h == 1 && p.kernel_w == 1 && !padded && p.groups == 1 && p.type == DataType::fp32 &&
         p.in_channels >= kFewestChannels && p.out_channels >= kFewestChannels;
}

}  // namespace

std::vector<PreparedPtr> pointwise_candidates(const Device& device, const ConvolutionProblem& problem, Pass pass) {
  if (!applies(problem)) return {};
  const auto layouts = ConvolutionLayouts::blocked(problem);
  if (pass == Pass::backward_weights) {
    return {weights_gradient_operator<float>(kName, problem, layouts, PointwiseGradient(problem, device.threads()))};
  }
  return {convolution_operator<float>(kName, problem, pass, layouts,
                                      PointwiseConvolution(problem, pass, device.threads()))};
}

}  // namespace convoy::kernels
