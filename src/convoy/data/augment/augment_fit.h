// Whether an augmentation fits the images at hand.
#pragma once

#include "convoy/data/augment/augment_options.h"
#include "convoy/tensor/shape.h"

namespace convoy::data {

// As validate(), and also refuses what does not fit images of CxHxW: squares to be cut out that are larger than they
// are. Throws UserError that names the limit.
void validate_for(const AugmentOptions& options, const Shape& image);

}  // namespace convoy::data
