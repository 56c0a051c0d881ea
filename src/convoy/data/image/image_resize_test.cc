#include "convoy/data/image/image_resize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "convoy/data/byte_file.h"

namespace convoy::data {
namespace {

using testing::Each;
using testing::ElementsAre;

Bytes resize(const Bytes& pixels, int width, int height, int channels, int to_height, int to_width) {
  Bytes planes(static_cast<std::size_t>(to_height * to_width * channels));
  ImageResizer resizer;
  resizer.resize_and_crop({.pixels = pixels, .width = width, .height = height, .channels = channels}, to_height,
                          to_width, planes);
  return planes;
}

TEST(ImageResize, SameSizeOnlySplitsPlanes) {
  EXPECT_THAT(resize({1, 2, 3, 4, 5, 6}, 2, 1, 3, 1, 2), ElementsAre(1, 4, 2, 5, 3, 6));
}

TEST(ImageResize, CropsTheMiddle) {
  EXPECT_THAT(resize({1, 2, 3, 4}, 4, 1, 1, 1, 1), ElementsAre(2));
  EXPECT_THAT(resize({1, 2, 3, 4, 5}, 5, 1, 1, 1, 1), ElementsAre(3));
  EXPECT_THAT(resize({1, 2, 3, 4, 5}, 1, 5, 1, 1, 1), ElementsAre(3));
}

TEST(ImageResize, OneColourStaysOneColour) {
  const Bytes image(37 * 23, 201);
  for (const int size : {1, 5, 16, 23, 40, 100}) {
    EXPECT_THAT(resize(image, 37, 23, 1, size, size), Each(201)) << size;
  }
}

TEST(ImageResize, HalvingUsesTheTriangleFilter) {
  // The weights of pixels 0, 1 and 2 in output 0 are 3/4, 3/4 and 1/4, divided by their sum.
  Bytes rows;
  for (int y = 0; y < 2; ++y) {
    rows.insert(rows.end(), {0, 70, 210, 70});
  }
  EXPECT_THAT(resize(rows, 4, 2, 1, 1, 2), ElementsAre(60, 130));
}

TEST(ImageResize, DoublingInterpolates) {
  EXPECT_THAT(resize({0, 100, 0, 100}, 2, 2, 1, 4, 4),
              ElementsAre(0, 25, 75, 100, 0, 25, 75, 100, 0, 25, 75, 100, 0, 25, 75, 100));
}

// Without antialiasing single pixels would be picked: 0 or 255.
TEST(ImageResize, FineStripesBecomeGrey) {
  Bytes stripes(64 * 64);
  for (std::size_t i = 0; i < stripes.size(); ++i) {
    stripes[i] = i % 2 == 0 ? 0 : 255;
  }
  const Bytes small = resize(stripes, 64, 64, 1, 8, 8);
  EXPECT_NEAR(small[3 * 8 + 3], 128, 3);
  EXPECT_NEAR(small[4 * 8 + 4], 128, 3);
}

TEST(ImageResize, ChannelsStayApart) {
  Bytes image;
  for (int i = 0; i < 30 * 20; ++i) {
    image.insert(image.end(), {10, 120, 250});
  }
  const Bytes planes = resize(image, 30, 20, 3, 7, 7);
  EXPECT_THAT(std::span(planes).first(49), Each(10));
  EXPECT_THAT(std::span(planes).subspan(49, 49), Each(120));
  EXPECT_THAT(std::span(planes).last(49), Each(250));
}

}  // namespace
}  // namespace convoy::data
