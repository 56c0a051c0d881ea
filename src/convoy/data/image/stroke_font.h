// A font made of strokes, for labels in pictures, which can be drawn smoothly at any size. It has the characters of
// ASCII; all others are drawn as an empty box.
#pragma once

#include <string>
#include <string_view>

#include "convoy/data/image/picture.h"

namespace convoy::data {

// The height of a line of text in units of the font, from accents to descenders. Capitals are 14 units high.
inline constexpr double kLineUnits = 20;

// In pixels; a unit of the font is `scale` pixels.
[[nodiscard]] double text_width(std::string_view text, double scale);

// `left` and `top` are the upper left corner of the line. What lies outside the image is not drawn.
void draw_text(RgbImage& image, double left, double top, std::string_view text, double scale, Colour colour);

// The text or, if it is wider than `width` pixels, its beginning and two dots.
[[nodiscard]] std::string shortened(std::string_view text, double width, double scale);

}  // namespace convoy::data
