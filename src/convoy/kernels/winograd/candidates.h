// Convoy's own winograd convolutions: 3x3 kernels on tiles of 2x2, 4x4 and 6x6 results, and 5x5 kernels on tiles of 2x2
// and 4x4, for any number of channels. oneDNN has only 3x3 on 4x4, for AVX-512, and is slow with few channels or few
// tiles.
#pragma once

#include <vector>

#include "convoy/kernels/convolution.h"

namespace convoy::kernels {

// The implementations of a pass that are worth trying; empty if winograd cannot be used.
[[nodiscard]] std::vector<PreparedPtr> winograd_candidates(const Device& device, const ConvolutionProblem& problem,
                                                           Pass pass);

}  // namespace convoy::kernels
