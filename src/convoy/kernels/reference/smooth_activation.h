// Naive twins of sigmoid, tanh and softmax, for tests.
#pragma once

#include "convoy/kernels/reference/image.h"
#include "convoy/kernels/smooth_activation.h"

namespace convoy::kernels::reference {

[[nodiscard]] Values smooth(SmoothActivation kind, Values x);
// The gradient before the activation, from its result y and the gradient after it.
[[nodiscard]] Values smooth_backward(SmoothActivation kind, const Values& y, Values dy);

// For rows, one after the other.
[[nodiscard]] Values softmax(Values x, std::size_t rows);
[[nodiscard]] Values softmax_backward(const Values& y, Values dy, std::size_t rows);

}  // namespace convoy::kernels::reference
