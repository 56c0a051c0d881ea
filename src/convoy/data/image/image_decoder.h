// Reads JPEG and PNG files as RGB pixels. The first bytes of a file decide which it is, not its name.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "convoy/data/byte_file.h"
#include "convoy/data/image/image_resize.h"

namespace convoy::data {

enum class ImageFormat : std::uint8_t { jpeg, png, other };

[[nodiscard]] ImageFormat image_format(std::span<const std::uint8_t> bytes);

struct ImageSize {
  int width = 0;
  int height = 0;
};

// Reads only the header. Throws as decode_image() does.
[[nodiscard]] ImageSize read_image_size(std::span<const std::uint8_t> bytes, std::string_view name);

struct Image {
  int width = 0;
  int height = 0;
  Bytes rgb;  // interleaved

  [[nodiscard]] PixelView view() const { return {.pixels = rgb, .width = width, .height = height, .channels = 3}; }
};

// Decodes to `image`, whose memory is reused. Greyscale and palettes become RGB, 16 bits become 8, and transparent
// pixels are shown on white. A JPEG that is at least twice as large as `height` x `width` in both directions is scaled
// down while it is decoded, but not below that size; zeros ask for the full size. Throws DataError with `name` when the
// bytes are not a JPEG or PNG, are corrupt, or are cut short.
void decode_image(std::span<const std::uint8_t> bytes, std::string_view name, int height, int width, Image& image);

}  // namespace convoy::data
