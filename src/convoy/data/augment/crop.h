// Movement by whole pixels, with and without mirroring: bytes become values on their way to another place.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "convoy/data/augment/augment_options.h"
#include "convoy/data/augment/levels.h"

namespace convoy::data {

struct Crop {
  int dx = 0, dy = 0;  // the result's (x, y) is the image's (x + dx, y + dy) ...
  bool flip = false;   // ... or (width - 1 - x + dx, y + dy)
  Border border = Border::black;
};

// `levels` has one entry per channel; `values` takes CxHxW; `mirror` is scratch memory.
void crop(const Pixels& image, const Crop& how, std::span<const Levels> levels, float* values,
          std::vector<std::uint8_t>& mirror);

}  // namespace convoy::data
