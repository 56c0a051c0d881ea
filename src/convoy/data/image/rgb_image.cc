#include "convoy/data/image/rgb_image.h"

#include <algorithm>

#include "convoy/base/check.h"

namespace convoy::data {
namespace {

std::size_t place(const RgbImage& image, int x, int y) {
  return (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x)) * 3;
}

}  // namespace

RgbImage::RgbImage(int image_width, int image_height, Colour background)
    : width(image_width),
      height(image_height),
      bytes(static_cast<std::size_t>(image_width) * static_cast<std::size_t>(image_height) * 3) {
  fill(*this, {.width = width, .height = height}, background);
}

Colour RgbImage::at(int x, int y) const {
  CONVOY_CHECK(x >= 0 && x < width && y >= 0 && y < height);
  const std::size_t i = place(*this, x, y);
  return {bytes[i], bytes[i + 1], bytes[i + 2]};
}

void fill(RgbImage& image, const Rectangle& where, Colour colour) {
  const int right = std::min(where.left + where.width, image.width);
  const int bottom = std::min(where.top + where.height, image.height);
  for (int y = std::max(where.top, 0); y < bottom; ++y) {
    for (int x = std::max(where.left, 0); x < right; ++x) {
      const std::size_t i = place(image, x, y);
      image.bytes[i] = colour.red;
      image.bytes[i + 1] = colour.green;
      image.bytes[i + 2] = colour.blue;
    }
  }
}

}  // namespace convoy::data
