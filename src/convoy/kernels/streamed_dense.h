// Dense layers on few samples. Their time is that of reading the weights, which matrix products made for many samples
// do at less than half the rate of the memory; here every weight is read once, for all samples.
#pragma once

#include <vector>

#include "convoy/kernels/convolution.h"

namespace convoy::kernels {

// Implementations of forward and of the pass for the source's gradient, in layouts that oneDNN's matrix product has
// too. Empty for other passes and for rows that are not whole vectors.
[[nodiscard]] std::vector<PreparedPtr> streamed_dense_candidates(const DenseProblem& problem, Pass pass);

}  // namespace convoy::kernels
