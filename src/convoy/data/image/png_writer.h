// Pictures as PNG files.
#pragma once

#include <filesystem>
#include <string>

#include "convoy/data/image/rgb_image.h"

namespace convoy::data {

// The bytes of the file. Throws SystemError when libpng fails.
[[nodiscard]] std::string encode_png(const RgbImage& image);

// Writes the file whole or not at all. Throws SystemError with the path and the reason.
void write_png(const std::filesystem::path& path, const RgbImage& image);

}  // namespace convoy::data
