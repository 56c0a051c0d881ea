#include "convoy/data/image/bitmap_font.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace convoy::data {
namespace {

constexpr Colour kWhite{255, 255, 255};
constexpr Colour kRed{200, 0, 0};

// The picture as rows of '#' and '.'.
std::string drawn(std::string_view text, int scale = 1) {
  RgbImage image(text_width(text, scale), kGlyphHeight * scale, kWhite);
  draw_text(image, 0, 0, text, scale, kRed);
  std::string rows;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) rows += image.at(x, y) == kRed ? '#' : '.';
    rows += '\n';
  }
  return rows;
}

TEST(BitmapFont, LettersStandUprightAndInOrder) {
  EXPECT_EQ(drawn("Lp"),
            "#...........\n"
            "#...........\n"
            "#.....####..\n"
            "#.....#...#.\n"
            "#.....#...#.\n"
            "#.....####..\n"
            "#####.#.....\n"
            "......#.....\n");
}

TEST(BitmapFont, EveryLetterOfAsciiLooksDifferent) {
  std::set<std::string> pictures;
  for (char letter = ' '; letter <= '~'; ++letter) pictures.insert(drawn(std::string(1, letter)));
  EXPECT_EQ(pictures.size(), 95U);
}

TEST(BitmapFont, OtherLettersAreOneBoxEach) {
  EXPECT_EQ(text_width("Übung", 1), 5 * kGlyphAdvance);
  EXPECT_EQ(drawn("é"), drawn("猫"));
  EXPECT_EQ(drawn("\x01"), drawn("猫"));
  EXPECT_NE(drawn("é"), drawn("e"));
}

TEST(BitmapFont, ScaleMakesDotsSquares) {
  const std::string rows = drawn("|", 3);
  EXPECT_EQ(rows.substr(0, 19), "......###.........\n");
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '#'), 7 * 9);
}

TEST(BitmapFont, TextBeyondTheImageIsLeftOut) {
  RgbImage image(4, 4, kWhite);
  draw_text(image, -3, -3, "W", 1, kRed);
  draw_text(image, 2, 3, "W", 1, kRed);
  EXPECT_EQ(image.at(2, 3), kRed);
  EXPECT_EQ(image.at(3, 2), kWhite);
}

TEST(BitmapFont, LongTextIsShortened) {
  EXPECT_EQ(shortened("airplane", 8), "airplane");
  EXPECT_EQ(shortened("automobile", 8), "automo..");
  EXPECT_EQ(shortened("äöüäöü", 5), "äöü..");
  EXPECT_EQ(shortened("abc", 1), ".");
}

}  // namespace
}  // namespace convoy::data
