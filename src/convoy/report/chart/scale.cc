#include "convoy/report/chart/scale.h"

#include <algorithm>
#include <cmath>

#include "convoy/base/check.h"

namespace convoy::report {
namespace {

bool is_logarithmic(AxisScale scale) { return scale == AxisScale::log2 || scale == AxisScale::log10; }

}  // namespace

bool is_drawable(double value, AxisScale scale) {
  // Beyond, the width of an axis would overflow; below, the logarithm's steps would.
  constexpr double kLargest = 1e300;
  constexpr double kSmallest = 1e-300;
  return std::isfinite(value) && std::abs(value) <= kLargest && (!is_logarithmic(scale) || value >= kSmallest);
}

void Extent::include(double value) {
  low = std::min(low, value);
  high = std::max(high, value);
}

Extent widened(Extent extent, AxisScale scale) {
  if (is_logarithmic(scale)) {
    const bool narrow = extent.high < extent.low * 1.0001;
    return narrow ? Extent{extent.low / 2, extent.high * 2} : extent;
  }
  const double magnitude = std::max(std::abs(extent.low), std::abs(extent.high));
  if (magnitude < 1e-290) return {extent.low < 0 ? -1.0 : 0.0, 1};
  if (extent.high - extent.low > magnitude * 1e-9) return extent;
  return {extent.low - magnitude * 0.1, extent.high + magnitude * 0.1};
}

Scale::Scale(AxisScale kind, double low, double high) : kind_(kind), low_(low), high_(high) {
  CONVOY_CHECK_LT(low, high);
  CONVOY_CHECK(!is_logarithmic(kind) || low > 0);
}

double Scale::fraction(double value) const {
  if (!is_logarithmic(kind_)) return (value - low_) / (high_ - low_);
  return value <= 0 ? 0 : (std::log(value) - std::log(low_)) / (std::log(high_) - std::log(low_));
}

}  // namespace convoy::report
