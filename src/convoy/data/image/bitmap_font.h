// A small fixed-width font for labels in pictures: the letters of ASCII; all others are an empty box.
#pragma once

#include <string>
#include <string_view>

#include "convoy/data/image/picture.h"

namespace convoy::data {

inline constexpr int kGlyphWidth = 5;
inline constexpr int kGlyphHeight = 8;
inline constexpr int kGlyphAdvance = 6;  // from one letter to the next

// In pixels; `scale` is the side of a dot of the font.
[[nodiscard]] int text_width(std::string_view text, int scale);

// What lies outside the image is left out.
void draw_text(RgbImage& image, int left, int top, std::string_view text, int scale, Colour colour);

// The text, or its beginning with two dots where it has more letters.
[[nodiscard]] std::string shortened(std::string_view text, int letters);

}  // namespace convoy::data
