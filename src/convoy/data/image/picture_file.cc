#include "convoy/data/image/picture_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string_view>

#include "convoy/base/error.h"
#include "convoy/base/file/atomic_file.h"
#include "convoy/data/image/png_writer.h"

namespace convoy::data {
namespace {

std::string ending_of(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

// RFC 4648: four letters for three bytes.
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

std::string encode_svg(const RgbImage& image) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n"
      "<image width=\"{0}\" height=\"{1}\" style=\"image-rendering:pixelated\" href=\"data:image/png;base64,{2}\"/>\n"
      "</svg>\n",
      image.width, image.height, base64(encode_png(image)));
}

void write_picture(const std::filesystem::path& path, const RgbImage& image) {
  check_picture_name(path);
  write_file_atomically(path, ending_of(path) == ".svg" ? encode_svg(image) : encode_png(image));
}

}  // namespace convoy::data
