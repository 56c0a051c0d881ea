#include "convoy/base/mean_difference.h"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

namespace convoy {

MeanDifference mean_difference(const Summary& a, const Summary& b) {
  MeanDifference difference{.value = a.mean - b.mean, .half_width_95 = std::numeric_limits<double>::infinity()};
  if (a.count < 2 || b.count < 2) return difference;
  // The parts of a and b in the variance of the difference.
  const double share_a = a.standard_deviation * a.standard_deviation / a.count;
  const double share_b = b.standard_deviation * b.standard_deviation / b.count;
  const double variance = share_a + share_b;
  difference.half_width_95 = 0;
  if (variance == 0) return difference;
  const double freedom = variance * variance / (share_a * share_a / (a.count - 1) + share_b * share_b / (b.count - 1));
  const double t = boost::math::quantile(boost::math::students_t(freedom), 0.975);
  difference.half_width_95 = t * std::sqrt(variance);
  return difference;
}

}  // namespace convoy
