// What happens to one appearance of one image: the drawn values of the attributes in AugmentOptions. All movements
// together are one map from places of the result to places of the image, so that pixels are interpolated at most once.
#pragma once

#include <vector>

#include "convoy/base/rng.h"
#include "convoy/data/augment/augment_options.h"

namespace convoy::data {

// (x, y) of the result comes from (xx x + xy y + x0, yx x + yy y + y0) of the image; whole numbers are pixel centres.
struct AffineMap {
  float xx = 1, xy = 0, x0 = 0;
  float yx = 0, yy = 1, y0 = 0;
};

// A square of the result. It may extend beyond the image; whoever draws it cuts it off.
struct Hole {
  int left = 0, top = 0, size = 0;
};

struct Transform {
  // If true, only flip, dx and dy count: (x, y) of the result is (x + dx, y + dy) of the image, mirrored first where
  // flip is set. Otherwise `map` describes the whole movement and these have no meaning.
  bool whole_pixels = true;
  bool flip = false;
  int dx = 0, dy = 0;
  AffineMap map;
  float brightness = 1;
  float contrast = 1;
  std::vector<Hole> holes;
};

// Draws for an image of height x width. The holes are drawn last, so that the same rng gives the same movement with and
// without them.
[[nodiscard]] Transform draw_transform(const AugmentOptions& options, int height, int width, Rng& rng);

}  // namespace convoy::data
