// Kernels on instructions for pairs of bf16 numbers, without winograd's transforms, for processors that have these
// instructions and no matrix registers.
#pragma once

#include <vector>

#include "convoy/kernels/convolution.h"

namespace convoy::kernels {

// Empty in fp32 and on other processors. Of a convolution: the gradient of its weights if it has a stride, or reads few
// channels with many taps.
[[nodiscard]] std::vector<PreparedPtr> paired_candidates(const Device& device, const ConvolutionProblem& problem,
                                                         Pass pass);
// Of a dense layer: forward, and the pass for the source's gradient, where rows are whole pairs of blocks. Layouts are
// those that oneDNN's matrix product has too, which computes the gradient of the weights.
[[nodiscard]] std::vector<PreparedPtr> paired_candidates(const Device& device, const DenseProblem& problem, Pass pass);

}  // namespace convoy::kernels
