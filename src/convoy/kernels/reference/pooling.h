// Naive twins of pooling, for tests.
#pragma once

#include "convoy/kernels/pooling.h"
#include "convoy/kernels/reference/image.h"

namespace convoy::kernels::reference {

[[nodiscard]] Values pooling(const PoolingProblem& problem, const Values& x);

// A maximum passes its gradient to the first of equal pixels, in row order.
[[nodiscard]] Values pooling_backward(const PoolingProblem& problem, const Values& x, const Values& dy);

}  // namespace convoy::kernels::reference
