// Whether two means differ by more than their spread explains.
#pragma once

#include "convoy/base/statistics.h"

namespace convoy {

struct MeanDifference {
  double value = 0;  // the mean of a minus the mean of b
  // The 95 % interval is value +- half_width_95, by Welch's method, which does not assume equal spreads. Infinite when
  // one of the two has a single value.
  double half_width_95 = 0;

  // Whether zero lies outside the interval.
  [[nodiscard]] bool is_significant() const { return value > half_width_95 || value < -half_width_95; }
};

[[nodiscard]] MeanDifference mean_difference(const Summary& a, const Summary& b);

}  // namespace convoy
