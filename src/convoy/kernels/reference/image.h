// What the naive twins compute with: plain nchw arrays of doubles, and the index of a pixel in one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace convoy::kernels::reference {

using Values = std::vector<double>;

// The extents of a batch of images.
struct Image {
  std::int64_t batch, channels, h, w;

  [[nodiscard]] std::size_t at(std::int64_t n, std::int64_t c, std::int64_t y, std::int64_t x) const {
    return static_cast<std::size_t>(((n * channels + c) * h + y) * w + x);
  }
  [[nodiscard]] bool inside(std::int64_t y, std::int64_t x) const { return y >= 0 && y < h && x >= 0 && x < w; }
  [[nodiscard]] Values zeros() const { return Values(static_cast<std::size_t>(batch * channels * h * w)); }
};

}  // namespace convoy::kernels::reference
