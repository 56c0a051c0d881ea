#include "convoy/data/crop.h"

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

// to[x] = from[x + dx], reversed where asked; what lies outside is filled by the rule of the border.
void copy_row(const std::uint8_t* from, int width, const Crop& how, std::uint8_t* to) {
  const int begin = std::clamp(-how.dx, 0, width);  // the first and the last + 1 that come from inside, unreversed
  const int end = std::max(begin, std::clamp(width - how.dx, 0, width));
  const auto outside = [&](int x) -> std::uint8_t {
    return how.border == Border::black ? 0 : from[mirrored_index(x + how.dx, width)];
  };
  const auto place = [&](int x) -> std::uint8_t& { return to[how.flip ? width - 1 - x : x]; };
  for (int x = 0; x < begin; ++x) place(x) = outside(x);
  for (int x = end; x < width; ++x) place(x) = outside(x);
  if (begin == end) return;
  if (how.flip) {
    copy_reversed(from + begin + how.dx, to + width - end, end - begin);
  } else {
    std::memcpy(to + begin, from + begin + how.dx, static_cast<std::size_t>(end - begin));
  }
}

void crop_plane(const Pixels& image, int channel, const Crop& how, const Levels& levels, float* values,
                std::vector<std::uint8_t>& row) {
  const int width = image.width;
  for (int y = 0; y < image.height; ++y, values += width) {
    const int from = y + how.dy;
    const bool outside = from < 0 || from >= image.height;
    if (outside && how.border == Border::black) {
      std::fill_n(values, width, levels(0));
      continue;
    }
    copy_row(image.row(channel, outside ? mirrored_index(from, image.height) : from), width, how, row.data());
    apply_levels(levels, row.data(), values, width);
  }
}

}  // namespace

void crop(const Pixels& image, const Crop& how, std::span<const Levels> levels, float* values,
          std::vector<std::uint8_t>& row) {
  const std::int64_t plane = static_cast<std::int64_t>(image.height) * image.width;
  const bool in_place = how.dx == 0 && how.dy == 0 && !how.flip;
  row.resize(static_cast<std::size_t>(image.width));
  for (int c = 0; c < image.channels; ++c, values += plane) {
    const Levels& of_channel = levels[static_cast<std::size_t>(c)];
    if (in_place) {
      apply_levels(of_channel, image.row(c, 0), values, plane);
    } else {
      crop_plane(image, c, how, of_channel, values, row);
    }
  }
}

}  // namespace convoy::data
