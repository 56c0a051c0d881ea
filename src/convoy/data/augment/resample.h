// Moves an image by fractions of pixels: one affine map with bilinear interpolation for all movements together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "convoy/data/augment/levels.h"
#include "convoy/data/augment/transform.h"

namespace convoy::data {

// Memory that resample() reuses; one per thread.
struct ResampleScratch {
  std::vector<float> planes;  // the image as values, with its borders
  // For each pixel of a row of the result: the index of its upper left neighbour in a plane.
  std::vector<std::int32_t> corners;
  std::vector<float> right, down;  // and its distance from that neighbour
};

// Colours come before movement: `levels` turns pixels into values, which are then interpolated; outside the image there
// are black pixels or its mirror image. There is no smoothing for reduction, so maps should magnify or reduce only a
// little. `levels` has one entry per channel; `values` has room for CxHxW.
void resample(const Pixels& image, const AffineMap& map, Border border, std::span<const Levels> levels, float* values,
              ResampleScratch& scratch);

}  // namespace convoy::data
