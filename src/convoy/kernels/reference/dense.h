// Naive twins of the three passes of a dense layer, for tests. Weights are out x in; gradients are those before the
// activation, as the kernels take them.
#pragma once

#include "convoy/kernels/convolution.h"
#include "convoy/kernels/reference/image.h"

namespace convoy::kernels::reference {

// `b` is not read if the problem has no bias.
[[nodiscard]] Values dense(const DenseProblem& problem, const Values& x, const Values& w, const Values& b);
[[nodiscard]] Values dense_backward_data(const DenseProblem& problem, const Values& dy, const Values& w);
[[nodiscard]] Values dense_backward_weights(const DenseProblem& problem, const Values& x, const Values& dy);
[[nodiscard]] Values dense_backward_bias(const DenseProblem& problem, const Values& dy);

}  // namespace convoy::kernels::reference
