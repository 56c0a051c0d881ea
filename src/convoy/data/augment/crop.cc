#include "convoy/data/augment/crop.h"

#include <algorithm>
#include <cstring>

namespace convoy::data {
namespace {

// Reverses eight bytes at a time by swapping the bytes of a word, which is fast on every machine.
void copy_reversed(const std::uint8_t* from, std::uint8_t* to, int count) {
  int i = 0;
  for (; i + 8 <= count; i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, from + i, 8);
    word = __builtin_bswap64(word);
    std::memcpy(to + count - 8 - i, &word, 8);
  }
  for (; i < count; ++i) to[count - 1 - i] = from[i];
}

// The row of the image that row `y` of the result comes from, or -1 for a black row.
int row_from(int y, int height, const Crop& how) {
  const int from = y + how.dy;
  if (from >= 0 && from < height) return from;
  return how.border == Border::black ? -1 : mirrored_index(from, height);
}

struct Plane {
  const std::uint8_t* bytes;
  int height, width;
};

// Fills the columns from `begin` to `end` of the result, which lie outside the image. They are few, so this goes pixel
// by pixel.
void fill_columns(const Plane& plane, const Crop& how, const Levels& levels, int begin, int end, float* values) {
  for (int y = 0; y < plane.height; ++y) {
    const int from = row_from(y, plane.height, how);
    for (int x = begin; x < end; ++x) {
      const bool black = how.border == Border::black;
      const int byte = black ? 0 : plane.bytes[from * plane.width + mirrored_index(x + how.dx, plane.width)];
      values[y * plane.width + x] = levels(static_cast<float>(byte));
    }
  }
}

// Fills the rows from `begin` to `end` of the result, which lie outside the image.
void fill_rows(const Plane& plane, const Crop& how, const Levels& levels, int begin, int end, float* values) {
  for (int y = begin; y < end; ++y) {
    const int from = row_from(y, plane.height, how);
    for (int x = 0; x < plane.width; ++x) {
      const int from_x = std::clamp(x + how.dx, 0, plane.width - 1);
      const int byte = from < 0 ? 0 : plane.bytes[from * plane.width + from_x];
      values[y * plane.width + x] = levels(static_cast<float>(byte));
    }
  }
}

// Moving a plane by whole pixels shifts its memory by some bytes, so one long loop does it. Pixels that wrap around the
// ends of rows are wrong and corrected afterwards. Treating each row by itself would cost more, because rows are short.
void crop_plane(const Plane& plane, const Crop& how, const Levels& levels, float* values) {
  const int top = std::clamp(-how.dy, 0, plane.height);
  const int bottom = std::max(top, std::clamp(plane.height - how.dy, 0, plane.height));
  const int left = std::clamp(-how.dx, 0, plane.width);
  const int right = std::max(left, std::clamp(plane.width - how.dx, 0, plane.width));
  if (top < bottom && left < right) {
    // From the first to the last pixel that comes from inside the image.
    const std::int64_t first = std::int64_t{top} * plane.width + left;
    const std::int64_t last = std::int64_t{bottom - 1} * plane.width + right;
    const std::int64_t move = std::int64_t{how.dy} * plane.width + how.dx;
    apply_levels(levels, plane.bytes + first + move, values + first, last - first);
  }
  fill_rows(plane, how, levels, 0, top, values);
  fill_rows(plane, how, levels, bottom, plane.height, values);
  fill_columns(plane, how, levels, 0, left, values);
  fill_columns(plane, how, levels, right, plane.width, values);
}

}  // namespace

void crop(const Pixels& image, const Crop& how, std::span<const Levels> levels, float* values,
          std::vector<std::uint8_t>& mirror) {
  const std::int64_t size = static_cast<std::int64_t>(image.height) * image.width;
  mirror.resize(static_cast<std::size_t>(size));
  Crop move = how;
  if (how.flip) move.dx = -how.dx;  // the direction is reversed in the mirrored image
  for (int c = 0; c < image.channels; ++c) {
    Plane plane{.bytes = image.row(c, 0), .height = image.height, .width = image.width};
    if (how.flip) {
      for (int y = 0; y < image.height; ++y) {
        copy_reversed(image.row(c, y), mirror.data() + std::int64_t{y} * image.width, image.width);
      }
      plane.bytes = mirror.data();
    }
    crop_plane(plane, move, levels[static_cast<std::size_t>(c)], values + c * size);
  }
}

}  // namespace convoy::data
