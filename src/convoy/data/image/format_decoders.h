// Decoders for JPEG (by turbojpeg) and PNG (by libpng); to be used through image_decoder.h.
#pragma once

#include "convoy/data/image/image_decoder.h"

namespace convoy::data {

[[nodiscard]] ImageSize read_jpeg_size(std::span<const std::uint8_t> bytes, std::string_view name);

void decode_jpeg(std::span<const std::uint8_t> bytes, std::string_view name, int height, int width, Image& image);

[[nodiscard]] ImageSize read_png_size(std::span<const std::uint8_t> bytes, std::string_view name);

void decode_png(std::span<const std::uint8_t> bytes, std::string_view name, Image& image);

}  // namespace convoy::data
