#include "convoy/data/augment/resample.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "convoy/data/augment/crop.h"
#include "convoy/data/image/test_image_test.h"

namespace convoy::data {
namespace {

// The value of a pixel of the endless picture around the image.
double value_at(const Pixels& image, int channel, int y, int x, Border border, const Levels& levels) {
  const bool inside = x >= 0 && x < image.width && y >= 0 && y < image.height;
  if (!inside && border == Border::black) return levels(0);
  const auto reflect = [](int i, int count) {
    while (i < 0 || i >= count) i = i < 0 ? -1 - i : 2 * count - 1 - i;
    return i;
  };
  return levels(image.row(channel, reflect(y, image.height))[reflect(x, image.width)]);
}

// Bilinear interpolation by its definition: the four surrounding pixels, weighted by the opposite areas.
double interpolated(const Pixels& image, int channel, double y, double x, Border border, const Levels& levels) {
  double sum = 0;
  const int left = static_cast<int>(std::floor(x));
  const int top = static_cast<int>(std::floor(y));
  for (int j = top; j <= top + 1; ++j) {
    for (int i = left; i <= left + 1; ++i) {
      sum += (1 - std::abs(x - i)) * (1 - std::abs(y - j)) * value_at(image, channel, j, i, border, levels);
    }
  }
  return sum;
}

std::vector<float> resampled(const TestImage& image, const AffineMap& map, Border border) {
  std::vector<float> values(image.bytes.size());
  ResampleScratch scratch;
  resample(image.pixels, map, border, test_levels(image.pixels.channels), values.data(), scratch);
  return values;
}

void expect_resampled(const TestImage& image, const AffineMap& map, Border border) {
  const Pixels& pixels = image.pixels;
  const auto levels = test_levels(pixels.channels);
  const auto values = resampled(image, map, border);
  std::size_t i = 0;
  for (int c = 0; c < pixels.channels; ++c) {
    for (int y = 0; y < pixels.height; ++y) {
      for (int x = 0; x < pixels.width; ++x, ++i) {
        const double from_x = double{map.xx} * x + double{map.xy} * y + double{map.x0};
        const double from_y = double{map.yx} * x + double{map.yy} * y + double{map.y0};
        const auto& level = levels[static_cast<std::size_t>(c)];
        // Places are off by about 1e-5 pixels, and values of neighbours differ by up to 255 * 0.03.
        ASSERT_NEAR(values[i], interpolated(pixels, c, from_y, from_x, border, level), 5e-4)
            << "c " << c << " y " << y << " x " << x;
      }
    }
  }
}

TEST(Resample, AgreesWithTheDefinitionForRandomMaps) {
  Rng rng(3);
  for (int i = 0; i < 60; ++i) {
    const TestImage image(1 + i % 3, 1 + static_cast<int>(rng.below(20)), 1 + static_cast<int>(rng.below(20)));
    const AffineMap map{.xx = rng.uniform(-2, 2),
                        .xy = rng.uniform(-1, 1),
                        .x0 = rng.uniform(-30, 30),
                        .yx = rng.uniform(-1, 1),
                        .yy = rng.uniform(-2, 2),
                        .y0 = rng.uniform(-30, 30)};
    expect_resampled(image, map, Border::black);
    expect_resampled(image, map, Border::mirrored);
  }
}

TEST(Resample, IdentityChangesNothing) {
  const TestImage image(3, 9, 11);
  for (const Border border : {Border::black, Border::mirrored}) {
    const auto values = resampled(image, {}, border);
    std::vector<float> expected(values.size());
    std::vector<std::uint8_t> row;
    crop(image.pixels, {}, test_levels(3), expected.data(), row);
    for (std::size_t i = 0; i < values.size(); ++i) ASSERT_NEAR(values[i], expected[i], 1e-5);
  }
}

// A quarter turn maps pixels onto pixels: row y of the result is column y of the image, from the other end.
TEST(Resample, QuarterTurn) {
  const TestImage image(1, 6, 6);
  const auto values = resampled(image, {.xx = 0, .xy = 1, .x0 = 0, .yx = -1, .yy = 0, .y0 = 5}, Border::black);
  for (int y = 0; y < 6; ++y) {
    for (int x = 0; x < 6; ++x) {
      const float expected = test_levels(1)[0](image.pixels.row(0, 5 - x)[y]);
      EXPECT_NEAR(values[static_cast<std::size_t>(y * 6 + x)], expected, 1e-5);
    }
  }
}

// An image that is a linear function of x and y remains one under any map that stays inside.
TEST(Resample, LinearImageIsReproducedExactly) {
  TestImage image(1, 16, 16);
  for (int y = 0; y < 16; ++y) {
    for (int x = 0; x < 16; ++x)
      image.bytes[static_cast<std::size_t>(y * 16 + x)] = static_cast<std::uint8_t>(3 * x + 7 * y);
  }
  const float c = std::cos(std::numbers::pi_v<float> / 9) / 2;
  const float s = std::sin(std::numbers::pi_v<float> / 9) / 2;
  const AffineMap map{.xx = c, .xy = -s, .x0 = 6, .yx = s, .yy = c, .y0 = 3};
  const auto values = resampled(image, map, Border::black);
  for (int y = 0; y < 16; ++y) {
    for (int x = 0; x < 16; ++x) {
      const double from_x = double{c} * x - double{s} * y + 6;
      const double from_y = double{s} * x + double{c} * y + 3;
      EXPECT_NEAR(values[static_cast<std::size_t>(y * 16 + x)], 0.01 * (3 * from_x + 7 * from_y) + 0.5, 1e-4);
    }
  }
}

}  // namespace
}  // namespace convoy::data
