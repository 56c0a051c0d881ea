#include "convoy/data/image/stroke_font.h"

#include <gtest/gtest.h>

#include <set>

namespace convoy::data {
namespace {

constexpr Colour kWhite{255, 255, 255};
constexpr Colour kBlack{0, 0, 0};

RgbImage drawn(std::string_view text, double scale = 1) {
  RgbImage image(static_cast<int>(text_width(text, scale)) + 1, static_cast<int>(kLineUnits * scale), kWhite);
  draw_text(image, 0, 0, text, scale, kBlack);
  return image;
}

// How much of a part of the image is ink, from 0 to 1.
double ink(const RgbImage& image, const Rectangle& part) {
  double sum = 0;
  for (int y = part.top; y < part.top + part.height; ++y) {
    for (int x = part.left; x < part.left + part.width; ++x) sum += 1 - image.at(x, y).red / 255.0;
  }
  return sum / (part.width * part.height);
}

TEST(StrokeFont, LettersStandUprightOnTheirLine) {
  const RgbImage image = drawn("L", 4);  // 4 pixels per unit of the font
  EXPECT_GT(ink(image, {.left = 6, .top = 10, .width = 4, .height = 50}), 0.9) << "the stem";
  EXPECT_GT(ink(image, {.left = 10, .top = 60, .width = 25, .height = 4}), 0.9) << "the foot";
  EXPECT_EQ(ink(image, {.left = 14, .top = 0, .width = 20, .height = 55}), 0);
  EXPECT_EQ(ink(image, {.left = 0, .top = 68, .width = 40, .height = 12}), 0) << "no descender";
  EXPECT_GT(ink(drawn("p", 4), {.left = 6, .top = 64, .width = 4, .height = 10}), 0.9) << "a descender";
}

TEST(StrokeFont, EdgesAreSmooth) {
  const RgbImage image = drawn("o", 2);
  std::set<int> greys;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) greys.insert(image.at(x, y).red);
  }
  EXPECT_GT(greys.size(), 10U);
  EXPECT_TRUE(greys.contains(0));
  EXPECT_TRUE(greys.contains(255));
}

TEST(StrokeFont, EveryLetterOfAsciiLooksDifferent) {
  std::set<std::vector<std::uint8_t>> pictures;
  for (char letter = ' '; letter <= '~'; ++letter) pictures.insert(drawn(std::string(1, letter), 2).bytes);
  EXPECT_EQ(pictures.size(), 95U);
}

TEST(StrokeFont, LettersKeepWithinTheirWidth) {
  for (char letter = '!'; letter <= '~'; ++letter) {
    const RgbImage image = drawn(std::string(1, letter), 3);
    const auto column = [&](int x) { return ink(image, {.left = x, .top = 0, .width = 1, .height = image.height}); };
    EXPECT_EQ(column(0), 0) << letter;
    EXPECT_EQ(column(image.width - 1), 0) << letter;
    EXPECT_EQ(ink(image, {.left = 0, .top = 0, .width = image.width, .height = image.height}) > 0, true) << letter;
  }
}

TEST(StrokeFont, OtherLettersAreOneBoxEach) {
  EXPECT_DOUBLE_EQ(text_width("\xc3\x9c", 1), text_width("\xe7\x8c\xab", 1));
  EXPECT_EQ(drawn("é").bytes, drawn("猫").bytes);
  EXPECT_EQ(drawn("\x01").bytes, drawn("猫").bytes);
  EXPECT_NE(drawn("é").bytes, drawn("e").bytes);
}

TEST(StrokeFont, WidthGrowsWithTheScaleAndTheText) {
  EXPECT_DOUBLE_EQ(text_width("cat", 3), 3 * text_width("cat", 1));
  EXPECT_DOUBLE_EQ(text_width("cat dog", 1), text_width("cat", 1) + text_width(" ", 1) + text_width("dog", 1));
  EXPECT_LT(text_width("i", 1), text_width("m", 1));
}

TEST(StrokeFont, TextBeyondTheImageIsLeftOut) {
  RgbImage image(4, 4, kWhite);
  draw_text(image, -30, -30, "W", 1, kBlack);
  draw_text(image, 2, 3, "W", 1, kBlack);
  EXPECT_EQ(image.at(0, 0), kWhite);
}

TEST(StrokeFont, LongTextIsShortened) {
  const double width = text_width("automob..", 1);
  EXPECT_EQ(shortened("airplane", text_width("airplane", 1), 1), "airplane");
  EXPECT_EQ(shortened("automobile", width, 1), "automob..");
  EXPECT_EQ(shortened("äöüäöü", text_width("äöü..", 1), 1), "äöü..");
  EXPECT_EQ(shortened("abc", 0, 1), "..");
}

}  // namespace
}  // namespace convoy::data
