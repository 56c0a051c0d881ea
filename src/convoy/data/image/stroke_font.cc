#include "convoy/data/image/stroke_font.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <sstream>
#include <vector>

#include "convoy/base/utf8.h"

namespace convoy::data {
namespace {

// The strokes of the letters from '!' to '~', and of the box. Units count from the left and from the baseline upwards:
//   M x y      moves the pen to a point
//   L x y      draws a line from there
//   O middle_x middle_y radius_x radius_y from to      draws an arc between two angles in degrees
//   A ...      the same, with a line from the pen to the beginning of the arc
// clang-format off
constexpr std::array kGlyphs = {
    "M 0 14 L 0 4.6 M 0 0.6 L 0 0.5",  // !
    "M 0 14 L 0 10.4 M 3.4 14 L 3.4 10.4",  // "
    "M 3.4 13.6 L 1.6 0.4 M 8.4 13.6 L 6.6 0.4 M 0.4 9.4 L 10 9.4 M 0 4.6 L 9.6 4.6",  // #
    "O 4.5 9.9 4.1 2.9 35 270 A 4.5 3.9 4.5 3.1 90 -150 M 4.5 15.6 L 4.5 -1.6",  // $
    "O 2.8 10.8 2.8 3.2 0 360 O 10.4 3.2 2.8 3.2 0 360 M 10.6 14 L 2.6 0",  // %
    "M 11.4 0 L 2.6 9.6 A 4.9 11.2 2.8 2.8 215 -40 L 3 7.6 A 4.2 3.8 4.2 3.8 110 300 A 4.2 3.8 6.4 6.4 305 360",  // &
    "M 0 14 L 0 10.4",  // '
    "O 6.6 5.6 6.6 10 122 238",  // (
    "O -3 5.6 6.6 10 58 -58",  // )
    "M 3.6 14 L 3.6 7.4 M 0.8 12.4 L 6.4 9 M 6.4 12.4 L 0.8 9",  // *
    "M 4.6 9.6 L 4.6 0.8 M 0.2 5.2 L 9 5.2",  // +
    "M 0.6 0.8 L 0.6 0 L -0.4 -2.6",  // ,
    "M 0 4.9 L 4.6 4.9",  // -
    "M 0 0.4 L 0 0.5",  // .
    "M 6 14.6 L 0 -1.6",  // /
    "O 4.6 7 4.6 7 0 360",  // 0
    "M 0.4 11.2 L 3.8 14 L 3.8 0",  // 1
    "O 4.4 9.8 4.2 4.2 160 -38 L 0.2 0 L 8.8 0",  // 2
    "O 4.1 10.5 3.9 3.5 150 -90 L 3 7 M 4.1 7 A 4.2 3.6 4.5 3.6 90 -152",  // 3
    "M 6.7 0 L 6.7 14 L 0 4 L 9.3 4",  // 4
    "M 8 14 L 1.5 14 L 0.9 7.6 A 4.2 4.6 4.5 4.6 139 -150",  // 5
    "M 6.6 14 L 0.9 6.9 O 4.6 4.5 4.6 4.5 0 360",  // 6
    "M 0 14 L 8.8 14 L 3 0",  // 7
    "O 4.6 10.6 3.8 3.4 0 360 O 4.6 3.6 4.6 3.6 0 360",  // 8
    "O 4.6 9.5 4.6 4.5 0 360 M 2.6 0 L 8.3 7.1",  // 9
    "M 0 9.3 L 0 9.4 M 0 0.4 L 0 0.5",  // :
    "M 0.6 9.3 L 0.6 9.4 M 0.6 0.8 L 0.6 0 L -0.4 -2.6",  // ;
    "M 8.6 9.4 L 0.2 5.2 L 8.6 1",  // <
    "M 0.2 7.2 L 9 7.2 M 0.2 3.2 L 9 3.2",  // =
    "M 0.2 9.4 L 8.6 5.2 L 0.2 1",  // >
    "O 3.7 10.4 3.6 3.6 165 -60 A 7 4.6 3.4 3.2 145 180 L 3.6 4.4 M 3.6 0.6 L 3.6 0.5",  // ?
    "O 8 5.2 3.2 3.6 0 360 M 11.2 8.8 L 11.2 4 A 13 4 1.8 2.2 180 360 L 14.8 5.6 A 7.6 5.4 7.4 7.6 0 300",  // @
    "M 0 0 L 5.7 14 L 11.4 0 M 2 4.8 L 9.4 4.8",  // A
    "M 0 7.4 L 0 0 L 5.2 0 A 5.2 3.7 4.2 3.7 -90 90 L 0 7.4 L 0 14 L 4.8 14 A 4.8 10.7 3.5 3.3 90 -90",  // B
    "O 6.6 7 6.6 7 46 314",  // C
    "M 0 0 L 0 14 L 4.2 14 A 4.2 7 6.8 7 90 -90 L 0 0",  // D
    "M 8 14 L 0 14 L 0 0 L 8.2 0 M 0 7.3 L 7.2 7.3",  // E
    "M 8 14 L 0 14 L 0 0 M 0 7 L 7.2 7",  // F
    "O 6.6 7 6.6 7 46 350 L 13.1 6.6 L 8 6.6",  // G
    "M 0 14 L 0 0 M 10 14 L 10 0 M 0 7.3 L 10 7.3",  // H
    "M 0 14 L 0 0",  // I
    "M 5.6 14 L 5.6 4 A 2.7 4 2.9 4 0 -165",  // J
    "M 0 14 L 0 0 M 9 14 L 0 5 M 3.3 8.3 L 9.6 0",  // K
    "M 0 14 L 0 0 L 7.6 0",  // L
    "M 0 0 L 0 14 L 6 3.6 L 12 14 L 12 0",  // M
    "M 0 0 L 0 14 L 10 0 L 10 14",  // N
    "O 7 7 7 7 0 360",  // O
    "M 0 0 L 0 14 L 5 14 A 5 10.3 4.1 3.7 90 -90 L 0 6.6",  // P
    "O 7 7 7 7 0 360 M 8.6 3.6 L 13 -1",  // Q
    "M 0 0 L 0 14 L 5 14 A 5 10.4 4.1 3.6 90 -90 L 0 6.8 M 4.8 6.8 L 9.6 0",  // R
    "O 4.8 10.5 4.4 3.5 35 270 A 4.8 3.5 4.9 3.5 90 -152",  // S
    "M 0 14 L 10.4 14 M 5.2 14 L 5.2 0",  // T
    "M 0 14 L 0 5 A 5 5 5 5 180 360 L 10 14",  // U
    "M 0 14 L 5.5 0 L 11 14",  // V
    "M 0 14 L 4 0 L 8 13 L 12 0 L 16 14",  // W
    "M 0 14 L 9.6 0 M 9.6 14 L 0 0",  // X
    "M 0 14 L 5 6.6 L 10 14 M 5 6.6 L 5 0",  // Y
    "M 0.4 14 L 9.4 14 L 0 0 L 9.8 0",  // Z
    "M 3.2 15.4 L 0 15.4 L 0 -3 L 3.2 -3",  // [
    "M 0 14.6 L 6 -1.6",  // backslash
    "M 0 15.4 L 3.2 15.4 L 3.2 -3 L 0 -3",  // ]
    "M 0 9 L 4 14 L 8 9",  // ^
    "M 0 -2.6 L 9 -2.6",  // _
    "M 0 14.4 L 2 12",  // `
    "O 4.5 5 4.5 5 0 360 M 9 10 L 9 0",  // a
    "M 0 14.4 L 0 0 O 4.5 5 4.5 5 0 360",  // b
    "O 4.9 5 4.9 5 48 312",  // c
    "M 9 14.4 L 9 0 O 4.5 5 4.5 5 0 360",  // d
    "M 0 5.3 L 9.2 5.3 A 4.6 5 4.6 5 4 316",  // e
    "M 2.4 0 L 2.4 11 A 5.4 11 3 3.4 180 72 M 0 9.4 L 5.6 9.4",  // f
    "O 4.5 5 4.5 5 0 360 M 9 10 L 9 -0.2 A 4.6 -0.2 4.4 3.9 0 -148",  // g
    "M 0 14.4 L 0 0 M 0 5.6 A 4 5.8 4 4.2 180 0 L 8 0",  // h
    "M 0 10 L 0 0 M 0 13.5 L 0 13.6",  // i
    "M 2 10 L 2 -1.2 A 0 -1.2 2 2.8 0 -100 M 2 13.5 L 2 13.6",  // j
    "M 0 14.4 L 0 0 M 7.4 10 L 0 3.4 M 2.8 5.9 L 7.9 0",  // k
    "M 0 14.4 L 0 0",  // l
    "M 0 10 L 0 0 M 0 6.2 A 3.3 6.4 3.3 3.6 180 0 L 6.6 0 M 6.6 6.2 A 9.9 6.4 3.3 3.6 180 0 L 13.2 0",  // m
    "M 0 10 L 0 0 M 0 5.6 A 4 5.8 4 4.2 180 0 L 8 0",  // n
    "O 4.8 5 4.8 5 0 360",  // o
    "M 0 10 L 0 -4 O 4.5 5 4.5 5 0 360",  // p
    "M 9 10 L 9 -4 O 4.5 5 4.5 5 0 360",  // q
    "M 0 10 L 0 0 M 0 5.6 A 4 5.8 4 4.2 180 78",  // r
    "O 3.8 7.5 3.4 2.5 30 270 A 3.8 2.5 3.8 2.5 90 -152",  // s
    "M 2.4 13 L 2.4 3 A 5.2 3 2.8 3 180 285 M 0 10 L 5.8 10",  // t
    "M 0 10 L 0 4.2 A 4 4.2 4 4.2 180 360 M 8 10 L 8 0",  // u
    "M 0 10 L 4.2 0 L 8.4 10",  // v
    "M 0 10 L 3.2 0 L 6.4 9.4 L 9.6 0 L 12.8 10",  // w
    "M 0 10 L 7.8 0 M 7.8 10 L 0 0",  // x
    "M 0 10 L 4.3 0 M 8.6 10 L 3.6 -1.7 A 1 -1.2 2.7 2.8 -12 -95",  // y
    "M 0.2 10 L 7.4 10 L 0 0 L 7.8 0",  // z
    "M 4 15.4 A 4 12.9 2 2.5 90 180 L 2 9 A -0.2 8.8 2.2 2.6 0 -90 A -0.2 3.6 2.2 2.6 90 0 L 2 -0.5 A 4 -0.5 2 2.5 180 270",  // {
    "M 0 15.4 L 0 -3",  // |
    "M 0 15.4 A 0 12.9 2 2.5 90 0 L 2 9 A 4.2 8.8 2.2 2.6 180 270 A 4.2 3.6 2.2 2.6 90 180 L 2 -0.5 A 0 -0.5 2 2.5 0 -90",  // }
    "O 2.4 4.4 2.4 2 175 45 A 6.6 6 2.4 2 225 355",  // ~
    "M 0 0 L 0 12 L 8 12 L 8 0 L 0 0",  // anything else
};
// clang-format on

constexpr double kAscent = 15.5;    // units above the baseline
constexpr double kBlank = 6;        // width of a blank
constexpr double kBearing = 2;      // free space on each side of a letter
constexpr double kPenWidth = 1.75;  // of the strokes

struct FontPoint {
  double x = 0, y = 0;
};

struct Stroke {
  FontPoint from, to;
};

struct Glyph {
  std::vector<Stroke> strokes;
  double left = 0, right = 0;

  [[nodiscard]] double advance() const { return strokes.empty() ? kBlank : right - left + 2 * kBearing; }
};

void add_arc(std::istringstream& numbers, bool is_joined, FontPoint& pen, std::vector<Stroke>& strokes) {
  constexpr int kPieces = 24;
  double middle_x = 0, middle_y = 0, radius_x = 0, radius_y = 0, from = 0, to = 0;
  numbers >> middle_x >> middle_y >> radius_x >> radius_y >> from >> to;
  for (int i = 0; i <= kPieces; ++i) {
    const double angle = std::numbers::pi / 180 * (from + (to - from) * i / kPieces);
    const FontPoint next{.x = middle_x + radius_x * std::cos(angle), .y = middle_y + radius_y * std::sin(angle)};
    if (i > 0 || is_joined) strokes.push_back({pen, next});
    pen = next;
  }
}

Glyph glyph_of(char byte) {
  Glyph glyph;
  if (byte == ' ') return glyph;
  const std::size_t index = static_cast<unsigned char>(byte) - static_cast<std::size_t>('!');
  std::istringstream text(kGlyphs[std::min(index, kGlyphs.size() - 1)]);
  FontPoint pen;
  for (char command = 0; text >> command;) {
    if (command == 'A' || command == 'O') {
      add_arc(text, command == 'A', pen, glyph.strokes);
      continue;
    }
    FontPoint next;
    text >> next.x >> next.y;
    if (command == 'L') glyph.strokes.push_back({pen, next});
    pen = next;
  }
  glyph.left = glyph.right = glyph.strokes.front().from.x;
  for (const Stroke& stroke : glyph.strokes) {
    glyph.left = std::min({glyph.left, stroke.from.x, stroke.to.x});
    glyph.right = std::max({glyph.right, stroke.from.x, stroke.to.x});
  }
  return glyph;
}

double distance(const Stroke& stroke, FontPoint point) {
  const double along_x = stroke.to.x - stroke.from.x;
  const double along_y = stroke.to.y - stroke.from.y;
  const double length = along_x * along_x + along_y * along_y;
  const double dot = (point.x - stroke.from.x) * along_x + (point.y - stroke.from.y) * along_y;
  const double share = length > 0 ? std::clamp(dot / length, 0.0, 1.0) : 0;
  return std::hypot(point.x - stroke.from.x - share * along_x, point.y - stroke.from.y - share * along_y);
}

// How much of the pixel with this middle the pen covers, from 0 to 1.
double ink_at(const Glyph& glyph, FontPoint middle, double scale) {
  double nearest = kLineUnits;
  for (const Stroke& stroke : glyph.strokes) nearest = std::min(nearest, distance(stroke, middle));
  return std::clamp((kPenWidth / 2 - nearest) * scale + 0.5, 0.0, 1.0);
}

void blend(RgbImage& image, int x, int y, Colour colour, double share) {
  if (share <= 0 || x < 0 || y < 0 || x >= image.width || y >= image.height) return;
  const Colour under = image.at(x, y);
  const auto mixed = [&](std::uint8_t below, std::uint8_t above) {
    return static_cast<std::uint8_t>(std::lround(below + share * (above - below)));
  };
  fill(image, {.left = x, .top = y, .width = 1, .height = 1},
       {mixed(under.red, colour.red), mixed(under.green, colour.green), mixed(under.blue, colour.blue)});
}

void draw_glyph(RgbImage& image, double left, double top, const Glyph& glyph, double scale, Colour colour) {
  const auto first_x = static_cast<int>(std::floor(left));
  const auto last_x = static_cast<int>(std::ceil(left + glyph.advance() * scale));
  const auto first_y = static_cast<int>(std::floor(top));
  const auto last_y = static_cast<int>(std::ceil(top + kLineUnits * scale));
  for (int y = first_y; y < last_y; ++y) {
    for (int x = first_x; x < last_x; ++x) {
      const FontPoint middle{.x = (x + 0.5 - left) / scale - kBearing + glyph.left,
                             .y = kAscent - (y + 0.5 - top) / scale};
      blend(image, x, y, colour, ink_at(glyph, middle, scale));
    }
  }
}

}  // namespace

double text_width(std::string_view text, double scale) {
  double units = 0;
  for (const char byte : text) {
    if (!continues_character(byte)) units += glyph_of(byte).advance();
  }
  return units * scale;
}

void draw_text(RgbImage& image, double left, double top, std::string_view text, double scale, Colour colour) {
  for (const char byte : text) {
    if (continues_character(byte)) continue;
    const Glyph glyph = glyph_of(byte);
    if (!glyph.strokes.empty()) draw_glyph(image, left, top, glyph, scale, colour);
    left += glyph.advance() * scale;
  }
}

std::string shortened(std::string_view text, double width, double scale) {
  if (text_width(text, scale) <= width) return std::string(text);
  std::string beginning(text);
  while (!beginning.empty() && text_width(beginning + "..", scale) > width) {
    while (!beginning.empty() && continues_character(beginning.back())) beginning.pop_back();
    if (!beginning.empty()) beginning.pop_back();
  }
  return beginning + "..";
}

}  // namespace convoy::data
