#include "convoy/data/augment/resample.h"

#include <algorithm>
#include <cmath>

namespace convoy::data {
namespace {

// Planes have one extra column and row before the image and two after it, so that every place has four neighbours
// without a check. Places further outside are first moved into -1..count (black border) or -1/2..count-1/2 (mirrored).
constexpr int kBefore = 1;
constexpr int kAround = 3;

struct Extent {
  int height, width;
};

Extent bordered(const Pixels& image) { return {.height = image.height + kAround, .width = image.width + kAround}; }

void fill_row(const std::uint8_t* bytes, int width, Border border, const Levels& levels, float* row) {
  apply_levels(levels, bytes, row + kBefore, width);
  const float black = levels(0);
  row[0] = border == Border::black ? black : row[kBefore];
  const float after = border == Border::black ? black : row[kBefore + width - 1];
  row[kBefore + width] = after;
  row[kBefore + width + 1] = after;
}

void fill_plane(const Pixels& image, int channel, Border border, const Levels& levels, float* plane) {
  const Extent extent = bordered(image);
  for (int y = 0; y < extent.height; ++y, plane += extent.width) {
    const int from = std::clamp(y - kBefore, 0, image.height - 1);
    if (from != y - kBefore && border == Border::black) {
      std::fill_n(plane, extent.width, levels(0));
    } else {
      fill_row(image.row(channel, from), image.width, border, levels, plane);
    }
  }
}

// std::floor would be a function call, because the baseline instruction set has no instruction for it.
int whole_part(float value) {
  const int truncated = static_cast<int>(value);
  return truncated - (value < static_cast<float>(truncated) ? 1 : 0);
}

// Moves a place along one axis to where the plane has neighbours for it.
template <Border kBorder>
float reachable(float place, float count) {
  if constexpr (kBorder == Border::black) {
    const float low = place < -1 ? -1 : place;
    return low > count ? count : low;
  } else {
    const float turn = (place + 0.5F) / (2 * count);
    const float in_period = (turn - static_cast<float>(whole_part(turn))) * 2 * count;
    return count - std::abs(in_period - count) - 0.5F;
  }
}

// Computes for one row of the result where its pixels come from; all channels share this. Measured: this vectorises
// well with the baseline instruction set. Wider vectors gain little, and their gather instructions are slower than
// single loads in interpolate_row().
template <Border kBorder>
void locate_row(const Pixels& image, const AffineMap& map, int y, ResampleScratch& scratch) {
  const auto height = static_cast<float>(image.height);
  const auto width = static_cast<float>(image.width);
  const AffineMap m = map;
  const float x0 = m.xy * static_cast<float>(y) + m.x0;
  const float y0 = m.yy * static_cast<float>(y) + m.y0;
  const int count = image.width;
  const int stride = bordered(image).width;
  std::int32_t* const __restrict corners = scratch.corners.data();
  float* const __restrict right = scratch.right.data();
  float* const __restrict down = scratch.down.data();
  for (int x = 0; x < count; ++x) {
    const float from_x = reachable<kBorder>(m.xx * static_cast<float>(x) + x0, width);
    const float from_y = reachable<kBorder>(m.yx * static_cast<float>(x) + y0, height);
    const int left = whole_part(from_x);
    const int top = whole_part(from_y);
    corners[x] = (top + kBefore) * stride + left + kBefore;
    right[x] = from_x - static_cast<float>(left);
    down[x] = from_y - static_cast<float>(top);
  }
}

void interpolate_row(const float* plane, int stride, int width, const ResampleScratch& scratch,
                     float* __restrict values) {
  const std::int32_t* const __restrict corners = scratch.corners.data();
  const float* const __restrict right = scratch.right.data();
  const float* const __restrict down = scratch.down.data();
  const float* const lower = plane + stride;
  for (int x = 0; x < width; ++x) {
    const std::int32_t at = corners[x];
    const float above = plane[at] + right[x] * (plane[at + 1] - plane[at]);
    const float below = lower[at] + right[x] * (lower[at + 1] - lower[at]);
    values[x] = above + down[x] * (below - above);
  }
}

void reserve(const Pixels& image, ResampleScratch& scratch) {
  const Extent extent = bordered(image);
  const auto width = static_cast<std::size_t>(image.width);
  scratch.planes.resize(static_cast<std::size_t>(image.channels) * extent.height * extent.width);
  scratch.corners.resize(width);
  scratch.right.resize(width);
  scratch.down.resize(width);
}

}  // namespace

void resample(const Pixels& image, const AffineMap& map, Border border, std::span<const Levels> levels, float* values,
              ResampleScratch& scratch) {
  reserve(image, scratch);
  const Extent extent = bordered(image);
  const std::int64_t plane_size = static_cast<std::int64_t>(extent.height) * extent.width;
  for (int c = 0; c < image.channels; ++c) {
    fill_plane(image, c, border, levels[static_cast<std::size_t>(c)], scratch.planes.data() + c * plane_size);
  }
  for (int y = 0; y < image.height; ++y) {
    border == Border::black ? locate_row<Border::black>(image, map, y, scratch)
                            : locate_row<Border::mirrored>(image, map, y, scratch);
    for (int c = 0; c < image.channels; ++c) {
      interpolate_row(scratch.planes.data() + c * plane_size, extent.width, image.width, scratch,
                      values + (static_cast<std::int64_t>(c) * image.height + y) * image.width);
    }
  }
}

}  // namespace convoy::data
