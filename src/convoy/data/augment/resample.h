// Movement by parts of pixels: an affine map with bilinear interpolation, for every movement together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "convoy/data/augment/levels.h"
#include "convoy/data/augment/transform.h"

namespace convoy::data {

// Memory that resample() reuses; one per thread.
struct ResampleScratch {
  std::vector<float> planes;          // the image as values, with borders
  std::vector<std::int32_t> corners;  // of one row of the result: where in a plane its upper left neighbours are
  std::vector<float> right, down;     // and how far beyond them it lies
};

// Colours come before movement: pixels are made values by `levels`, then interpolated, where beyond the image lie black
// pixels or its mirror image. There is no smoothing for reduction: maps are to magnify or reduce by little.
// `levels` has one entry per channel; `values` takes CxHxW.
void resample(const Pixels& image, const AffineMap& map, Border border, std::span<const Levels> levels, float* values,
              ResampleScratch& scratch);

}  // namespace convoy::data
