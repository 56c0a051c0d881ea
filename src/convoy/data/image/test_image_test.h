// Images for tests, with bytes without a pattern, so that a wrong index cannot give the right value by chance.
#pragma once

#include <cstdint>
#include <vector>

#include "convoy/base/rng.h"
#include "convoy/data/augment/levels.h"

namespace convoy::data {

struct TestImage {
  TestImage(int channels, int height, int width, std::uint64_t seed = 1)
      : bytes(static_cast<std::size_t>(channels) * height * width),
        pixels{.bytes = bytes.data(), .channels = channels, .height = height, .width = width} {
    Rng rng(seed);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(rng.below(256));
  }
  TestImage(const TestImage&) = delete;
  TestImage& operator=(const TestImage&) = delete;

  std::vector<std::uint8_t> bytes;
  Pixels pixels;
};

// Different levels for each channel, so that a mistaken channel shows.
inline std::vector<Levels> test_levels(int channels) {
  std::vector<Levels> levels;
  for (int c = 0; c < channels; ++c) {
    levels.push_back({.scale = 0.01F * static_cast<float>(c + 1), .offset = 0.5F - static_cast<float>(c)});
  }
  return levels;
}

}  // namespace convoy::data
