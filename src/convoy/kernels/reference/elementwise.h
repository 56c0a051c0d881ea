// Naive twins of the operators that treat every element alike, for tests.
#pragma once

#include "convoy/kernels/activation.h"
#include "convoy/kernels/reference/image.h"

namespace convoy::kernels::reference {

[[nodiscard]] Values activate(Activation activation, Values x);

// The gradient before the activation, from its result y and the gradient after it.
[[nodiscard]] Values activate_backward(Activation activation, const Values& y, Values dy);

[[nodiscard]] Values add(const Values& a, const Values& b);

}  // namespace convoy::kernels::reference
