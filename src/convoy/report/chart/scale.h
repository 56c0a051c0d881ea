// From values to places along an axis.
#pragma once

#include <limits>

#include "convoy/report/chart/axis.h"

namespace convoy::report {

// Can the value be placed on such an axis? Not what is no number or beyond 1e300, nor zero and less on a logarithmic
// one.
[[nodiscard]] bool is_drawable(double value, AxisScale scale);

// The smallest and largest of some values.
struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void include(double value);
  [[nodiscard]] bool empty() const { return low > high; }
};

// The extent, or a wider one around it where it is too narrow to be an axis: all values the same, say.
[[nodiscard]] Extent widened(Extent extent, AxisScale scale);

class Scale {
 public:
  // low < high, and 0 < low for a logarithmic scale.
  Scale(AxisScale kind, double low, double high);

  // 0 at the low end, 1 at the high end. What a logarithmic scale cannot show lies at the low end.
  [[nodiscard]] double fraction(double value) const;

  [[nodiscard]] double low() const { return low_; }
  [[nodiscard]] double high() const { return high_; }

 private:
  AxisScale kind_;
  double low_, high_;
};

}  // namespace convoy::report
