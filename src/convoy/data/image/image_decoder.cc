#include "convoy/data/image/image_decoder.h"

#include <algorithm>
#include <array>

#include "convoy/base/error.h"
#include "convoy/data/image/format_decoders.h"

namespace convoy::data {

namespace {

constexpr std::array<std::uint8_t, 3> kJpeg{0xff, 0xd8, 0xff};
constexpr std::array<std::uint8_t, 8> kPng{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

template <std::size_t N>
bool starts_with(std::span<const std::uint8_t> bytes, const std::array<std::uint8_t, N>& magic) {
  return bytes.size() >= N && std::equal(magic.begin(), magic.end(), bytes.begin());
}

[[noreturn]] void refuse(std::span<const std::uint8_t> bytes, std::string_view name) {
  if (bytes.empty()) throw DataError("{}: is empty", name);
  throw DataError("{}: byte 0: is neither JPEG nor PNG", name);
}

}  // namespace

ImageFormat image_format(std::span<const std::uint8_t> bytes) {
  if (starts_with(bytes, kJpeg)) return ImageFormat::jpeg;
  return starts_with(bytes, kPng) ? ImageFormat::png : ImageFormat::other;
}

ImageSize read_image_size(std::span<const std::uint8_t> bytes, std::string_view name) {
  switch (image_format(bytes)) {
    case ImageFormat::jpeg:
      return read_jpeg_size(bytes, name);
    case ImageFormat::png:
      return read_png_size(bytes, name);
    case ImageFormat::other:
      break;
  }
  refuse(bytes, name);
}

void decode_image(std::span<const std::uint8_t> bytes, std::string_view name, int height, int width, Image& image) {
  switch (image_format(bytes)) {
    case ImageFormat::jpeg:
      return decode_jpeg(bytes, name, height, width, image);
    case ImageFormat::png:
      return decode_png(bytes, name, image);
    case ImageFormat::other:
      break;
  }
  refuse(bytes, name);
}

}  // namespace convoy::data
