// Pictures, and elements of SVG as text. Coordinates have one decimal, so that the same chart is the same file on every
// machine.
#pragma once

#include <string>
#include <string_view>

namespace convoy::report {

// A drawing on its way into a file: SVG elements in a box, without the <svg> around them.
struct Picture {
  double width = 0;
  double height = 0;
  std::string elements;
};

// Width of every chart, in user units. With text of 13 units it is read at 660 pixels and above.
inline constexpr double kPictureWidth = 720;

// "12.5", "3", never "-0".
[[nodiscard]] std::string px(double length);

enum class Anchor { start, middle, end };

struct TextStyle {
  Anchor anchor = Anchor::start;
  std::string_view classes = {};
  double turned_degrees = 0;        // about (x, y), clockwise
  std::string_view full_text = {};  // shown by the pointer, for text that was shortened
};

// The baseline begins, is centred or ends at (x, y). Text is escaped here.
[[nodiscard]] std::string svg_text(double x, double y, std::string_view text, const TextStyle& style = {});

[[nodiscard]] std::string svg_line(double x1, double y1, double x2, double y2, std::string_view classes);

// An interval: a line from one point to the other, which is above or beside it, with a cap at each end.
[[nodiscard]] std::string svg_whisker(double x1, double y1, double x2, double y2, std::string_view classes);

struct Box {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

// `paint` is a class, or "url(#...)" for a pattern. `tip` is what the pointer shows.
[[nodiscard]] std::string svg_rect(const Box& box, std::string_view paint, std::string_view tip = {});

// A path of class `classes`, moved by (x, y).
[[nodiscard]] std::string svg_path_at(double x, double y, std::string_view path, std::string_view classes,
                                      std::string_view tip = {});

}  // namespace convoy::report
