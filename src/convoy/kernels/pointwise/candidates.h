// Convoy's own convolutions with 1x1 kernels, with or without a stride. They reach the rate of a matrix product where
// oneDNN's do not (few channels by many, and strides), and threads claim their work: oneDNN divides it beforehand, so
// that all wait for a core that is held up.
#pragma once

#include <vector>

#include "convoy/kernels/convolution.h"

namespace convoy::kernels {

// The implementations of a pass; empty if the kernel is not 1x1, has padding or groups, or in bf16.
[[nodiscard]] std::vector<PreparedPtr> pointwise_candidates(const Device& device, const ConvolutionProblem& problem,
                                                            Pass pass);

}  // namespace convoy::kernels
