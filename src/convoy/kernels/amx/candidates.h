// Convolutions and dense layers in bf16 on the matrix registers of processors with AMX.
#pragma once

#include <vector>

#include "convoy/kernels/convolution.h"

namespace convoy::kernels {

// The implementation of the pass, if there is one: not for other types, for groups, or for different strides in the two
// directions, and not without matrix registers.
[[nodiscard]] std::vector<PreparedPtr> amx_candidates(const Device& device, const ConvolutionProblem& problem,
                                                      Pass pass);
[[nodiscard]] std::vector<PreparedPtr> amx_candidates(const Device& device, const DenseProblem& problem, Pass pass);

}  // namespace convoy::kernels
