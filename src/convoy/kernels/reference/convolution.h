// Naive twins of the three passes of a convolution, for tests. Weights are out x in / groups x kernel; gradients are
// those before the activation, as the kernels take them.
#pragma once

#include "convoy/kernels/convolution.h"
#include "convoy/kernels/reference/image.h"

namespace convoy::kernels::reference {

// `b` is not read if the problem has no bias.
[[nodiscard]] Values convolution(const ConvolutionProblem& problem, const Values& x, const Values& w, const Values& b);
[[nodiscard]] Values convolution_backward_data(const ConvolutionProblem& problem, const Values& dy, const Values& w);
[[nodiscard]] Values convolution_backward_weights(const ConvolutionProblem& problem, const Values& x, const Values& dy);
[[nodiscard]] Values convolution_backward_bias(const ConvolutionProblem& problem, const Values& dy);

}  // namespace convoy::kernels::reference
