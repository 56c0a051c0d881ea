// Pictures for people to look at, and their files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace convoy::data {

struct Colour {
  std::uint8_t red = 0, green = 0, blue = 0;

  bool operator==(const Colour&) const = default;
};

// Three bytes for each pixel, row by row.
struct RgbImage {
  RgbImage(int image_width, int image_height, Colour background);

  [[nodiscard]] Colour at(int x, int y) const;

  int width, height;
  std::vector<std::uint8_t> bytes;  // width x height x 3
};

struct Rectangle {
  int left = 0, top = 0, width = 0, height = 0;
};

// Parts outside the image are ignored.
void fill(RgbImage& image, const Rectangle& where, Colour colour);

// The bytes of a PNG file. Throws SystemError when libpng fails.
[[nodiscard]] std::string encode_png(const RgbImage& image);

// Writes the PNG file completely or not at all. Throws SystemError with the path and the reason.
void write_png(const std::filesystem::path& path, const RgbImage& image);

// Throws UserError for a name that ends in neither .png nor .svg.
void check_picture_name(const std::filesystem::path& path);

[[nodiscard]] bool is_svg_name(const std::filesystem::path& path);

// The PNG file as a data URI, for images in SVG or HTML. Throws SystemError when libpng fails.
[[nodiscard]] std::string png_data_uri(const RgbImage& image);

}  // namespace convoy::data
