// A drawing on its way into a file: SVG elements in a box, without the <svg> around them.
#pragma once

#include <string>

namespace convoy::report {

struct Picture {
  double width = 0;
  double height = 0;
  std::string elements;
};

// Width of every chart, in user units. With text of 13 units it is read at 660 pixels and above.
inline constexpr double kPictureWidth = 720;

}  // namespace convoy::report
