#include "convoy/data/image/image_decoder.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/data/source/small_data_test.h"

namespace convoy::data {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

Image decode(const Bytes& bytes, int height = 0, int width = 0) {
  Image image;
  decode_image(bytes, "picture", height, width, image);
  EXPECT_EQ(image.rgb.size(), static_cast<std::size_t>(3 * image.width * image.height));
  return image;
}

std::vector<int> first_pixel(const Image& image) { return {image.rgb[0], image.rgb[1], image.rgb[2]}; }

std::vector<int> last_pixel(const Image& image) {
  const std::size_t end = image.rgb.size();
  return {image.rgb[end - 3], image.rgb[end - 2], image.rgb[end - 1]};
}

std::string error_of(const Bytes& bytes) {
  Image image;
  return data_error_of([&] { decode_image(bytes, "picture", 0, 0, image); });
}

TEST(ImageDecoder, RgbPng) {
  const Image image = decode(png_bytes(5, 3, {.channels = 3, .values = {10, 20, 30}}));
  EXPECT_EQ(image.width, 5);
  EXPECT_EQ(image.height, 3);
  EXPECT_THAT(first_pixel(image), ElementsAre(10, 20, 30));
  EXPECT_THAT(last_pixel(image), ElementsAre(10, 20, 30));
}

TEST(ImageDecoder, GreyPngBecomesRgb) {
  EXPECT_THAT(last_pixel(decode(png_bytes(5, 3, {.channels = 1, .values = {77}}))), ElementsAre(77, 77, 77));
}

TEST(ImageDecoder, SixteenBitsBecomeEight) {
  EXPECT_THAT(last_pixel(decode(png_bytes(4, 4, {.channels = 3, .bits = 16, .values = {0xffff, 0x8080, 0}}))),
              ElementsAre(255, 128, 0));
  EXPECT_THAT(last_pixel(decode(png_bytes(4, 4, {.channels = 1, .bits = 16, .values = {0x4040}}))),
              ElementsAre(64, 64, 64));
}

TEST(ImageDecoder, TransparencyLiesOnWhite) {
  EXPECT_THAT(last_pixel(decode(png_bytes(4, 4, {.channels = 4, .values = {200, 0, 10, 0}}))),
              ElementsAre(255, 255, 255));
  EXPECT_THAT(last_pixel(decode(png_bytes(4, 4, {.channels = 4, .values = {200, 0, 10, 255}}))),
              ElementsAre(200, 0, 10));
  EXPECT_THAT(last_pixel(decode(png_bytes(4, 4, {.channels = 2, .values = {0, 51}}))), ElementsAre(204, 204, 204));
}

TEST(ImageDecoder, PaletteBecomesRgb) {
  EXPECT_THAT(last_pixel(decode(palette_png_bytes(4, 4, {1, 2, 3}))), ElementsAre(1, 2, 3));
}

TEST(ImageDecoder, RgbAndGreyJpeg) {
  const Image image = decode(jpeg_bytes(17, 9, {200, 100, 50}));
  EXPECT_EQ(image.width, 17);
  EXPECT_EQ(image.height, 9);
  EXPECT_NEAR(image.rgb[0], 200, 3);
  EXPECT_NEAR(image.rgb[1], 100, 3);
  EXPECT_NEAR(image.rgb[2], 50, 3);
  const Image grey = decode(grey_jpeg_bytes(17, 9, 90));
  EXPECT_EQ(grey.rgb[0], grey.rgb[2]);
  EXPECT_NEAR(grey.rgb[0], 90, 2);
}

TEST(ImageDecoder, InksBecomeRgb) {
  const auto near = [](int value) { return AllOf(testing::Ge(value - 2), testing::Le(value + 2)); };
  const Image no_black = decode(cmyk_jpeg_bytes(16, 16, {250, 20, 100, 255}));
  EXPECT_THAT(first_pixel(no_black), ElementsAre(near(250), near(20), near(100)));
  const Image half_black = decode(cmyk_jpeg_bytes(16, 16, {250, 20, 100, 128}));
  EXPECT_THAT(last_pixel(half_black), ElementsAre(near(125), near(10), near(50)));
}

TEST(ImageDecoder, LargeJpegIsScaledDownButCoversTheFrame) {
  const Bytes bytes = jpeg_bytes(400, 300, {10, 200, 30});
  const Image image = decode(bytes, 64, 64);
  EXPECT_EQ(image.width, 100);
  EXPECT_EQ(image.height, 75);
  EXPECT_NEAR(image.rgb[1], 200, 3);
  EXPECT_EQ(decode(bytes, 151, 64).height, 300);
  EXPECT_EQ(decode(bytes, 150, 64).height, 150);
}

TEST(ImageDecoder, SizeIsReadFromTheHeader) {
  const Bytes png = png_bytes(40, 30, {.channels = 1, .values = {1}});
  const ImageSize size = read_image_size(std::span(png).first(41), "picture");
  EXPECT_EQ(size.width, 40);
  EXPECT_EQ(size.height, 30);
  EXPECT_EQ(read_image_size(jpeg_bytes(21, 13, {1, 2, 3}), "picture").width, 21);
}

TEST(ImageDecoder, OtherContentIsRefused) {
  EXPECT_EQ(error_of({}), "picture: is empty");
  EXPECT_THAT(error_of({'G', 'I', 'F', '8', '9', 'a', 0, 0}), HasSubstr("picture: byte 0: is neither JPEG nor PNG"));
}

TEST(ImageDecoder, JpegCutShortIsRefused) {
  const Bytes whole = textured_jpeg_bytes(64, 64, 1);
  for (const double share : {0.01, 0.1, 0.5, 0.9}) {
    const auto size = static_cast<std::ptrdiff_t>(share * static_cast<double>(whole.size()));
    const Bytes cut(whole.begin(), whole.begin() + std::max<std::ptrdiff_t>(3, size));
    EXPECT_THAT(error_of(cut), HasSubstr(fmt::format("picture: byte {}: is a corrupt JPEG", cut.size()))) << share;
  }
}

TEST(ImageDecoder, JpegWithOverwrittenPixelsIsRefused) {
  Bytes bytes = textured_jpeg_bytes(64, 64, 1);
  for (std::size_t i = bytes.size() / 2; i < bytes.size() / 2 + 40; i += 2) {
    bytes[i] = 0xff;
    bytes[i + 1] = 0xd9;
  }
  EXPECT_THAT(error_of(bytes), HasSubstr("corrupt JPEG"));
}

// The reported offset is not before the damage, and at most one segment after it.
TEST(ImageDecoder, DamageInAJpegIsLocated) {
  Bytes bytes = textured_jpeg_bytes(64, 64, 1);
  const std::size_t damage = bytes.size() / 2;
  bytes[damage] = 0xff;
  bytes[damage + 1] = 0xd9;
  const std::string message = error_of(bytes);
  ASSERT_THAT(message, HasSubstr("picture: byte "));
  const std::size_t offset = std::stoul(message.substr(std::string("picture: byte ").size()));
  EXPECT_GE(offset, damage);
  EXPECT_LE(offset, damage + 2);
}

// A decoder that has lost its way in the pixels often ends early and leaves bytes before the end.
TEST(ImageDecoder, PixelsLeftOverAreDamageAndStrayBytesInTheHeaderAreNot) {
  Bytes bytes = textured_jpeg_bytes(64, 64, 1);
  Bytes left_over = bytes;
  left_over.insert(left_over.end() - 2, 20, 0x55);
  EXPECT_THAT(error_of(left_over), HasSubstr("extraneous bytes before marker 0xd9"));
  const std::size_t after_first_segment = 4 + (bytes[4] << 8U | bytes[5]);
  ASSERT_EQ(bytes[after_first_segment], 0xff);
  bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(after_first_segment), 5, 0x55);
  EXPECT_EQ(decode(bytes).width, 64);
}

TEST(ImageDecoder, PngCutAnywhereIsRefused) {
  const Bytes whole = png_bytes(16, 16, {.channels = 3, .values = {10, 20, 30}});
  for (std::size_t size = 8; size < whole.size(); ++size) {
    const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_THAT(error_of(cut), AllOf(HasSubstr("picture: byte"), HasSubstr("corrupt PNG"))) << size;
  }
}

TEST(ImageDecoder, PngWithAFlippedBitIsRefused) {
  Bytes bytes = png_bytes(16, 16, {.channels = 3, .values = {10, 20, 30}});
  bytes[bytes.size() - 20] ^= 1;
  EXPECT_THAT(error_of(bytes), HasSubstr("corrupt PNG"));
}

TEST(ImageDecoder, HeaderThatPromisesTooMuchAsksForNoMemory) {
  Bytes bytes = jpeg_bytes(16, 16, {1, 2, 3});
  for (std::size_t i = 0; i + 9 < bytes.size(); ++i) {
    if (bytes[i] == 0xff && bytes[i + 1] == 0xc0) {  // the frame header: height and width follow
      bytes[i + 5] = bytes[i + 7] = 0xff;
      break;
    }
  }
  EXPECT_THAT(error_of(bytes), HasSubstr("far too short"));
}

}  // namespace
}  // namespace convoy::data
