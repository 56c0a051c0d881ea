// A small fixed-width font for labels in pictures. It has the letters of ASCII; all others are shown as an empty box.
#pragma once

#include <string>
#include <string_view>

#include "convoy/data/image/picture.h"

namespace convoy::data {

inline constexpr int kGlyphWidth = 5;
inline constexpr int kGlyphHeight = 8;
inline constexpr int kGlyphAdvance = 6;  // from the start of one letter to the start of the next

// In pixels; `scale` is the side of one dot of the font.
[[nodiscard]] int text_width(std::string_view text, int scale);

// Parts outside the image are not drawn.
void draw_text(RgbImage& image, int left, int top, std::string_view text, int scale, Colour colour);

// The text, or its beginning followed by two dots if it has more letters than that.
[[nodiscard]] std::string shortened(std::string_view text, int letters);

}  // namespace convoy::data
