#include "convoy/kernels/amx/candidates.h"

#include "convoy/kernels/amx/convolution.h"
#include "convoy/kernels/amx/gradient.h"
#include "convoy/kernels/blocked_convolution.h"

namespace convoy::kernels {

std::vector<PreparedPtr> amx_candidates(const Device& device, const ConvolutionProblem& p, Pass pass) {
  const simd::AmxLoops* loops = simd::amx_loops();
  if (loops == nullptr || p.type != DataType::bf16 || p.groups != 1 || p.stride_h != p.stride_w) return {};
  const char* name = "convoy:amx";
  if (pass == Pass::backward_weights) {
    return {blocked_weights_gradient<BFloat16>(name, p, AmxGradient(*loops, p, device.threads()))};
  }
  return {blocked_convolution<BFloat16>(name, p, pass, AmxConvolution(*loops, p, pass, device.threads()))};
}

}  // namespace convoy::kernels
