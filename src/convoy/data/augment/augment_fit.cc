#include "convoy/data/augment/augment_fit.h"

#include <algorithm>

#include "convoy/base/error.h"

namespace convoy::data {

void validate_for(const AugmentOptions& options, const Shape& image) {
  validate(options);
  const std::int64_t side = std::min(image[1], image[2]);
  if (options.cutout_size <= side) return;
  throw UserError("augmentation: a cutout of {} pixels does not fit images of {}x{}; it is at most {}",
                  options.cutout_size, image[1], image[2], side);
}

}  // namespace convoy::data
