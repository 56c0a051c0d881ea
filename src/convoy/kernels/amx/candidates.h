// Convolutions and dense layers in bf16 on the matrix registers of processors with AMX.
#pragma once

#include <vector>

#include "convoy/kernels/convolution.h"

namespace convoy::kernels {

// One implementation of the pass; none of other types, of groups, of strides that differ, or without such registers.
[[nodiscard]] std::vector<PreparedPtr> amx_candidates(const Device& device, const ConvolutionProblem& problem,
                                                      Pass pass);
[[nodiscard]] std::vector<PreparedPtr> amx_candidates(const Device& device, const DenseProblem& problem, Pass pass);

}  // namespace convoy::kernels
