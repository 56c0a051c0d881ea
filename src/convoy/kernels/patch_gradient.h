// The weight gradient of a convolution over tiny images as one matrix product over the patches of the whole batch.
// oneDNN's own kernels work image by image, which leaves them little to do at once when an image has a few pixels.
#pragma once

#include <vector>

#include "convoy/kernels/convolution.h"

namespace convoy::kernels {

// Implementations of the backward weights pass; empty where the images are too large for it to pay.
[[nodiscard]] std::vector<PreparedPtr> patch_gradient_candidates(const Device& device,
                                                                 const ConvolutionProblem& problem);

}  // namespace convoy::kernels
