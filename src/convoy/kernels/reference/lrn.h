// Naive twins of local response normalisation, for tests.
#pragma once

#include "convoy/kernels/lrn.h"
#include "convoy/kernels/reference/image.h"

namespace convoy::kernels::reference {

[[nodiscard]] Values lrn(const LrnProblem& problem, const Values& x);
[[nodiscard]] Values lrn_backward(const LrnProblem& problem, const Values& x, const Values& dy);

}  // namespace convoy::kernels::reference
