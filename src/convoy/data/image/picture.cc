#include "convoy/data/image/picture.h"

#include <fmt/core.h>
#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string_view>

#include "convoy/base/check.h"
#include "convoy/base/error.h"
#include "convoy/base/file/atomic_file.h"

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

// Uses libpng's simplified interface, which returns errors and needs no setjmp around C++ objects.
std::string encode_png(const RgbImage& image) {
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  header.width = static_cast<png_uint_32>(image.width);
  header.height = static_cast<png_uint_32>(image.height);
  header.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(header);
  std::string file(size, '\0');
  if (png_image_write_to_memory(&header, file.data(), &size, 0, image.bytes.data(), 0, nullptr) == 0) {
    throw SystemError(
        fmt::format("cannot encode a picture of {}x{} pixels as PNG: {}", image.width, image.height, header.message));
  }
  file.resize(size);
  return file;
}

void write_png(const std::filesystem::path& path, const RgbImage& image) {
  write_file_atomically(path, encode_png(image));
}

namespace {

std::string ending_of(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

// RFC 4648: four letters for each three bytes.
std::string base64(std::string_view bytes) {
  constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += i + k <= bytes.size() ? kBase64[group >> (18U - 6U * k) & 0x3FU] : '=';
    }
  }
  return text;
}

}  // namespace

void check_picture_name(const std::filesystem::path& path) {
  const std::string ending = ending_of(path);
  if (ending == ".png" || ending == ".svg") return;
  throw UserError("{}: a picture is PNG or SVG; give a name that ends in .png or .svg", path.string());
}

bool is_svg_name(const std::filesystem::path& path) { return ending_of(path) == ".svg"; }

std::string png_data_uri(const RgbImage& image) { return "data:image/png;base64," + base64(encode_png(image)); }

}  // namespace convoy::data
