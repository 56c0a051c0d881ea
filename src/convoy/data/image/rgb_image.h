// A picture to look at: three bytes for each pixel, row by row.
#pragma once

#include <cstdint>
#include <vector>

namespace convoy::data {

struct Colour {
  std::uint8_t red = 0, green = 0, blue = 0;

  bool operator==(const Colour&) const = default;
};

struct RgbImage {
  RgbImage(int image_width, int image_height, Colour background);

  [[nodiscard]] Colour at(int x, int y) const;

  int width, height;
  std::vector<std::uint8_t> bytes;  // width x height x 3
};

struct Rectangle {
  int left = 0, top = 0, width = 0, height = 0;
};

// What lies outside the image is left out.
void fill(RgbImage& image, const Rectangle& where, Colour colour);

}  // namespace convoy::data
