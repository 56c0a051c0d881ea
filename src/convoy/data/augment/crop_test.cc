#include "convoy/data/augment/crop.h"

#include <gtest/gtest.h>

#include "convoy/data/image/test_image_test.h"

namespace convoy::data {
namespace {

// A byte of the endless picture around the image, found by walking back into the image one reflection at a time.
int byte_at(const Pixels& image, int channel, int y, int x, Border border) {
  const auto inside = [](int i, int count) { return i >= 0 && i < count; };
  if (border == Border::black && !(inside(x, image.width) && inside(y, image.height))) return 0;
  const auto reflect = [&](int i, int count) {
    while (!inside(i, count)) i = i < 0 ? -1 - i : 2 * count - 1 - i;
    return i;
  };
  return image.row(channel, reflect(y, image.height))[reflect(x, image.width)];
}

void expect_crop(const TestImage& image, const Crop& how) {
  const Pixels& pixels = image.pixels;
  const auto levels = test_levels(pixels.channels);
  std::vector<float> values(image.bytes.size() + 1, -99);
  std::vector<std::uint8_t> row;
  crop(pixels, how, levels, values.data(), row);
  std::size_t i = 0;
  for (int c = 0; c < pixels.channels; ++c) {
    for (int y = 0; y < pixels.height; ++y) {
      for (int x = 0; x < pixels.width; ++x, ++i) {
        const int from_x = (how.flip ? pixels.width - 1 - x : x) + how.dx;
        const int byte = byte_at(pixels, c, y + how.dy, from_x, how.border);
        ASSERT_EQ(values[i], levels[static_cast<std::size_t>(c)](static_cast<float>(byte)))
            << "c " << c << " y " << y << " x " << x << " dx " << how.dx << " dy " << how.dy << " flip " << how.flip;
      }
    }
  }
  EXPECT_EQ(values.back(), -99);
}

TEST(Crop, AgreesWithPixelByPixelCopies) {
  for (const int width : {1, 3, 8, 13, 32}) {
    const TestImage image(3, 7, width);
    for (const int dx : {-40, -5, -1, 0, 1, 4, 33}) {
      for (const int dy : {-20, -2, 0, 1, 6, 7}) {
        for (const bool flip : {false, true}) {
          expect_crop(image, {.dx = dx, .dy = dy, .flip = flip});
          expect_crop(image, {.dx = dx, .dy = dy, .flip = flip, .border = Border::mirrored});
        }
      }
    }
  }
}

TEST(Crop, OneChannelOnePixel) { expect_crop(TestImage(1, 1, 1), {.dx = 0, .dy = 1, .border = Border::mirrored}); }

}  // namespace
}  // namespace convoy::data
