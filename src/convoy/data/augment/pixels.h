// An image's bytes where they lie, and what is beyond its borders.
#pragma once

#include <cstdint>

namespace convoy::data {

// Planes of CxHxW.
struct Pixels {
  const std::uint8_t* bytes = nullptr;
  int channels = 0;
  int height = 0;
  int width = 0;

  [[nodiscard]] const std::uint8_t* row(int channel, int y) const {
    return bytes + (static_cast<std::int64_t>(channel) * height + y) * width;
  }
  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(channels) * height * width; }
};

// Where a place outside 0..count-1 lands in endless mirrors at the borders: ... 1 0 | 0 1 2 | 2 1 ...
[[nodiscard]] inline int mirrored_index(int i, int count) {
  const int period = 2 * count;
  const int place = (i % period + period) % period;
  return place < count ? place : period - 1 - place;
}

}  // namespace convoy::data
