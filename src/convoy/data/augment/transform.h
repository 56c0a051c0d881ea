// What happens to one appearance of one image: the attributes of AugmentOptions, drawn. All movements together are one
// map from places of the result to places of the image, so that pixels are interpolated once at most.
#pragma once

#include <vector>

#include "convoy/base/rng.h"
#include "convoy/data/augment/augment_options.h"

namespace convoy::data {

// (x, y) of the result lies at (xx x + xy y + x0, yx x + yy y + y0) of the image; whole numbers are pixel centres.
struct AffineMap {
  float xx = 1, xy = 0, x0 = 0;
  float yx = 0, yy = 1, y0 = 0;
};

// A square of the result, cut at the image's borders by the one who draws it.
struct Hole {
  int left = 0, top = 0, size = 0;
};

struct Transform {
  // Whole pixels only: the result's (x, y) is the image's (x + dx, y + dy), mirrored first where flip is set. Else
  // `map` holds everything and the others mean nothing.
  bool whole_pixels = true;
  bool flip = false;
  int dx = 0, dy = 0;
  AffineMap map;
  float brightness = 1;
  float contrast = 1;
  std::vector<Hole> holes;
};

// Draws for an image of height x width. The holes come last: the same rng gives the same movement with and without.
[[nodiscard]] Transform draw_transform(const AugmentOptions& options, int height, int width, Rng& rng);

}  // namespace convoy::data
