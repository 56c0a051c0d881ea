#include "convoy/data/augment/crop.h"

#include <algorithm>
#include <cstring>

namespace convoy::data {
namespace {

// Eight bytes at a time by the byte swap of a word, which every machine has.
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

// The image's row that a row of the result comes from, or -1 for a black one.
int row_from(int y, int height, const Crop& how) {
  const int from = y + how.dy;
  if (from >= 0 && from < height) return from;
  return how.border == Border::black ? -1 : mirrored_index(from, height);
}

struct Plane {
  const std::uint8_t* bytes;
  int height, width;
};

// Columns begin..end of the result, which lie outside the image. Few, so one by one.
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

// Rows begin..end of the result, which lie outside the image.
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

// A plane moved by whole pixels is its memory moved by some bytes: one long loop, in which what runs over the ends of
// rows is wrong and put right afterwards. Cutting each row to its part costs more, as rows are short.
void crop_plane(const Plane& plane, const Crop& how, const Levels& levels, float* values) {
  const int top = std::clamp(-how.dy, 0, plane.height);
  const int bottom = std::max(top, std::clamp(plane.height - how.dy, 0, plane.height));
  const int left = std::clamp(-how.dx, 0, plane.width);
  const int right = std::max(left, std::clamp(plane.width - how.dx, 0, plane.width));
  if (top < bottom && left < right) {
    // From the first pixel that comes from inside to the last.
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
  if (how.flip) move.dx = -how.dx;  // seen in the mirror
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
