#include "convoy/data/image/image_reader.h"

#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/data/image/picture.h"
#include "convoy/data/source/small_data_test.h"

namespace convoy::data {
namespace {

Bytes read(const std::filesystem::path& path, const Shape& shape) {
  ImageReader reader(shape);
  Bytes pixels(static_cast<std::size_t>(shape.count()), 77);
  reader.read(path, pixels);
  return pixels;
}

TEST(ImageReader, ColourBecomesPlanes) {
  const TemporaryFolder folder;
  RgbImage image(3, 2, {10, 20, 30});
  fill(image, {.left = 2, .top = 1, .width = 1, .height = 1}, {200, 210, 220});
  write_png(folder / "a.png", image);
  EXPECT_EQ(read(folder / "a.png", {3, 2, 3}), (Bytes{10, 10, 10, 10, 10, 200,  //
                                                      20, 20, 20, 20, 20, 210,  //
                                                      30, 30, 30, 30, 30, 220}));
}

// 0.299 red + 0.587 green + 0.114 blue, rounded.
TEST(ImageReader, ColourBecomesGrey) {
  const TemporaryFolder folder;
  RgbImage image(4, 1, {255, 0, 0});
  fill(image, {.left = 1, .top = 0, .width = 1, .height = 1}, {0, 255, 0});
  fill(image, {.left = 2, .top = 0, .width = 1, .height = 1}, {0, 0, 255});
  fill(image, {.left = 3, .top = 0, .width = 1, .height = 1}, {255, 255, 255});
  write_png(folder / "a.png", image);
  EXPECT_EQ(read(folder / "a.png", {1, 1, 4}), (Bytes{76, 150, 29, 255}));
}

TEST(ImageReader, GreyStaysGreyAndBecomesThreeEqualPlanes) {
  const TemporaryFolder folder;
  write_bytes(folder / "grey.png", png_bytes(2, 2, {.channels = 1, .values = {93}}));
  EXPECT_EQ(read(folder / "grey.png", {1, 2, 2}), Bytes(4, 93));
  EXPECT_EQ(read(folder / "grey.png", {3, 2, 2}), Bytes(12, 93));
}

// The image is twice as wide as asked for, so its middle is taken.
TEST(ImageReader, ResizesAndCropsAtTheCentre) {
  const TemporaryFolder folder;
  RgbImage image(8, 4, {0, 0, 0});
  fill(image, {.left = 2, .top = 0, .width = 4, .height = 4}, {90, 90, 90});
  write_png(folder / "wide.png", image);
  EXPECT_EQ(read(folder / "wide.png", {1, 4, 4}), Bytes(16, 90));
}

TEST(ImageReader, OneReaderReadsImagesOfAnySize) {
  const TemporaryFolder folder;
  write_bytes(folder / "large.png", png_bytes(40, 30, {.channels = 3, .values = {9, 8, 7}}));
  write_bytes(folder / "small.jpg", grey_jpeg_bytes(3, 5, 128));
  ImageReader reader({3, 6, 6});
  Bytes pixels(108);
  reader.read(folder / "large.png", pixels);
  EXPECT_EQ(pixels[0], 9);
  EXPECT_EQ(pixels[107], 7);
  reader.read(folder / "small.jpg", pixels);
  for (const std::uint8_t pixel : pixels) ASSERT_NEAR(pixel, 128, 1);
}

TEST(ImageReader, WhatCannotBeReadIsNamed) {
  const TemporaryFolder folder;
  write_bytes(folder / "text.png", {'h', 'e', 'l', 'l', 'o'});
  EXPECT_NE(data_error_of([&] { (void)read(folder / "text.png", {1, 2, 2}); }).find("text.png"), std::string::npos);
  EXPECT_NE(data_error_of([&] { (void)read(folder / "none.png", {1, 2, 2}); }).find("none.png"), std::string::npos);
}

TEST(ImageReader, NetworksOfOtherChannelsSeeNoImages) { EXPECT_THROW(ImageReader({4, 2, 2}), UserError); }

}  // namespace
}  // namespace convoy::data
