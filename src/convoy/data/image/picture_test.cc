#include "convoy/data/image/picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <png.h>

#include "convoy/base/file/write_error.h"
#include "convoy/base/temporary_folder_test.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/data/source/small_data_test.h"

namespace convoy::data {
namespace {

TEST(PngWriter, DecodesToTheSamePixels) {
  RgbImage image(7, 5, {1, 2, 3});
  fill(image, {.left = 2, .top = 1, .width = 3, .height = 2}, {250, 128, 0});
  const std::string file = encode_png(image);
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  ASSERT_NE(png_image_begin_read_from_memory(&header, file.data(), file.size()), 0);
  ASSERT_EQ(header.width, 7U);
  ASSERT_EQ(header.height, 5U);
  header.format = PNG_FORMAT_RGB;
  std::vector<std::uint8_t> bytes(image.bytes.size());
  ASSERT_NE(png_image_finish_read(&header, nullptr, bytes.data(), 0, nullptr), 0);
  EXPECT_EQ(bytes, image.bytes);
}

TEST(PngWriter, WhatCannotBeWrittenIsNamed) {
  const TemporaryFolder folder;
  write_bytes(folder / "file", {1});
  const std::filesystem::path below_a_file = folder / "file/sheet.png";
  EXPECT_TRUE(throws_with<WriteError>([&] { write_png(below_a_file, RgbImage(1, 1, {})); }, below_a_file.string()));
}

using PictureFile = convoy::TemporaryFolder;
using testing::StartsWith;

TEST_F(PictureFile, ThePngIsAnImageOfOtherFiles) {
  const std::string uri = png_data_uri(RgbImage(3, 2, {10, 20, 30}));
  EXPECT_THAT(uri, StartsWith("data:image/png;base64,iVBORw0KGgo"));
  EXPECT_EQ(
      uri.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=", uri.find("iVBOR")),
      std::string::npos);
}

TEST_F(PictureFile, TheNameSaysTheKind) {
  EXPECT_TRUE(is_svg_name("a.SVG"));
  EXPECT_FALSE(is_svg_name("a.png"));
  for (const char* name : {"a.jpg", "a", ".png", "svg"}) {
    EXPECT_TRUE(throws_with<UserError>([&] { check_picture_name(folder_ / name); }, "PNG or SVG"));
  }
}

}  // namespace

}  // namespace convoy::data
