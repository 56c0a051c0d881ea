// Moves an image by whole pixels, perhaps mirrored, and converts its bytes to values on the way.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "convoy/data/augment/augment_options.h"
#include "convoy/data/augment/levels.h"

namespace convoy::data {

struct Crop {
  int dx = 0, dy = 0;  // (x, y) of the result is (x + dx, y + dy) of the image ...
  bool flip = false;   // ... or (width - 1 - x + dx, y + dy) when flipped
  Border border = Border::black;
};

// `levels` has one entry per channel; `values` has room for CxHxW; `mirror` is scratch memory.
void crop(const Pixels& image, const Crop& how, std::span<const Levels> levels, float* values,
          std::vector<std::uint8_t>& mirror);

}  // namespace convoy::data
