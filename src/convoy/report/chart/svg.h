// Pictures, and SVG elements as text. Coordinates have one decimal, so that the same chart gives the same file on every
// machine.
#pragma once

#include <string>
#include <string_view>

namespace convoy::report {

// A drawing that will become part of a file: SVG elements in a box, without the <svg> around them.
struct Picture {
  double width = 0;
  double height = 0;
  std::string elements;
};

// The width of every chart, in units of the picture. With text of 13 units it is readable from 660 pixels on.
inline constexpr double kPictureWidth = 720;

// "12.5", "3", never "-0".
[[nodiscard]] std::string px(double length);

enum class Anchor { start, middle, end };

struct TextStyle {
  Anchor anchor = Anchor::start;
  std::string_view classes = {};
  double turned_degrees = 0;        // about (x, y), clockwise
  std::string_view full_text = {};  // shown as a tip, for text that was shortened
};

// The baseline of the text begins, is centred or ends at (x, y), depending on the anchor. Escapes the text.
[[nodiscard]] std::string svg_text(double x, double y, std::string_view text, const TextStyle& style = {});

[[nodiscard]] std::string svg_line(double x1, double y1, double x2, double y2, std::string_view classes);

// An interval: a line between two points, one above or beside the other, with a cap at each end.
[[nodiscard]] std::string svg_whisker(double x1, double y1, double x2, double y2, std::string_view classes);

struct Box {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

// `paint` is a class, or "url(#...)" for a pattern. `tip` is shown under the pointer.
[[nodiscard]] std::string svg_rect(const Box& box, std::string_view paint, std::string_view tip = {});

// A path with these classes, moved by (x, y).
[[nodiscard]] std::string svg_path_at(double x, double y, std::string_view path, std::string_view classes,
                                      std::string_view tip = {});

}  // namespace convoy::report
