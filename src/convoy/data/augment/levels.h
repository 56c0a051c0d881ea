// An image's bytes as they lie in memory, and what makes of them the values that a network sees: brightness, contrast
// and normalisation in one step.
#pragma once

#include <cstdint>
#include <vector>

#include "convoy/data/source/source.h"

namespace convoy::data {

// An image's bytes where they lie: planes of CxHxW.
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

// value = clamp(byte, low, high) * scale + offset. Clamping the byte is clamping the brightened value: both maps rise.
struct Levels {
  float low = 0;
  float high = 255;
  float scale = 1;
  float offset = 0;

  [[nodiscard]] float operator()(float byte) const {
    const float raised = byte < low ? low : byte;
    return (raised > high ? high : raised) * scale + offset;
  }
};

// Zero mean and unit deviation over the data that the statistics are of. A channel that never varies is only centred.
[[nodiscard]] std::vector<Levels> normalisation(const ChannelStatistics& statistics);

// `levels` for bytes that are first multiplied by `brightness` and then moved away from the image's mean by `contrast`,
// within 0..255. `mean` is that of the bytes; both factors are above 0.
[[nodiscard]] Levels coloured(const Levels& levels, float brightness, float contrast, float mean);

void apply_levels(const Levels& levels, const std::uint8_t* bytes, float* values, std::int64_t count);

}  // namespace convoy::data
