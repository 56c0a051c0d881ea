// Dense layers with products of pairs of bf16 numbers, for processors with instructions for these and without matrix
// registers. oneDNN's kernels reach half to three quarters of the processor's rate there.
#pragma once

#include <vector>

#include "convoy/kernels/convolution.h"

namespace convoy::kernels {

// Implementations of forward and of the pass for the source's gradient, in layouts that oneDNN's matrix product has
// too. Empty for other passes, in fp32, on other processors, and for rows that are not whole pairs of blocks.
[[nodiscard]] std::vector<PreparedPtr> paired_dense_candidates(const Device& device, const DenseProblem& problem,
                                                               Pass pass);

}  // namespace convoy::kernels
