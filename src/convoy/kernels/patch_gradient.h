// The weight gradient of a convolution over tiny images as one matrix product over the patches of the whole batch.
// oneDNN's own kernels work image by image, which leaves them little to do at once if an image has only a few pixels.
#pragma once

#include <vector>

#include "convoy/kernels/convolution.h"

namespace convoy::kernels {

// Implementations of the pass for the weights' gradient; empty if images are too large for it to pay off.
[[nodiscard]] std::vector<PreparedPtr> patch_gradient_candidates(const Device& device,
                                                                 const ConvolutionProblem& problem);

}  // namespace convoy::kernels
