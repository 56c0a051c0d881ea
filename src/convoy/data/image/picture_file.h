// Pictures as files of the kind that their name says.
#pragma once

#include <filesystem>
#include <string>

#include "convoy/data/image/rgb_image.h"

namespace convoy::data {

// Throws UserError for a name that ends neither in .png nor in .svg.
void check_picture_name(const std::filesystem::path& path);

// An SVG file that holds the picture and shows its pixels as they are. Throws SystemError when libpng fails.
[[nodiscard]] std::string encode_svg(const RgbImage& image);

// Writes PNG or SVG, by the name, whole or not at all. Throws UserError as above, SystemError with path and reason.
void write_picture(const std::filesystem::path& path, const RgbImage& image);

}  // namespace convoy::data
