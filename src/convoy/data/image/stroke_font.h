// A font of strokes for labels in pictures, drawn smoothly at any size: the letters of ASCII; all others are an empty
// box.
#pragma once

#include <string>
#include <string_view>

#include "convoy/data/image/picture.h"

namespace convoy::data {

// Capitals are 14 units high, and a line of text is as high as this, from accents to descenders.
inline constexpr double kLineUnits = 20;

// In pixels, of which a unit of the font has `scale`.
[[nodiscard]] double text_width(std::string_view text, double scale);

// The upper left corner of the line is given. What lies outside the image is left out.
void draw_text(RgbImage& image, double left, double top, std::string_view text, double scale, Colour colour);

// The text, or its beginning with two dots where it would be wider than `width` pixels.
[[nodiscard]] std::string shortened(std::string_view text, double width, double scale);

}  // namespace convoy::data
