// An image's bytes in memory, and the conversion to the values that a network reads: brightness, contrast and
// normalisation in one step.
#pragma once

#include <cstdint>
#include <vector>

#include "convoy/data/source/source.h"

namespace convoy::data {

// The bytes of an image: planes of CxHxW.
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

// Maps a place outside 0..count-1 back inside, as if there were endless mirrors at the borders: ... 1 0 | 0 1 2 | 2 1
// ...
[[nodiscard]] inline int mirrored_index(int i, int count) {
  const int period = 2 * count;
  const int place = (i % period + period) % period;
  return place < count ? place : period - 1 - place;
}

// value = clamp(byte, low, high) * scale + offset. Clamping the byte is the same as clamping the brightened value,
// because the map is increasing.
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

// Levels that give zero mean and unit deviation over the data that the statistics describe. A channel that never varies
// is only centred.
[[nodiscard]] std::vector<Levels> normalisation(const ChannelStatistics& statistics);

// The given `levels`, preceded by a change of colours: bytes are multiplied by `brightness`, then their distance from
// the image's mean is multiplied by `contrast`, and the result is limited to 0..255. `mean` is that of the bytes; both
// factors are above 0.
[[nodiscard]] Levels coloured(const Levels& levels, float brightness, float contrast, float mean);

void apply_levels(const Levels& levels, const std::uint8_t* bytes, float* values, std::int64_t count);

}  // namespace convoy::data
