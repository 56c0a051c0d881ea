#include "convoy/study/measure/estimate.h"

#include <cmath>

#include "convoy/base/statistics.h"

namespace convoy::study {
namespace {

// The variance of the mean of the values.
double variance_of_mean(std::span<const double> values) {
  const double deviation = sample_standard_deviation(values);
  return deviation * deviation / static_cast<double>(values.size());
}

double freedom(std::span<const double> values) { return static_cast<double>(values.size()) - 1; }

}  // namespace

std::optional<Interval> difference_95(std::span<const double> a, std::span<const double> b) {
  if (a.size() < 2 || b.size() < 2) return std::nullopt;
  const double between = mean(a) - mean(b);
  const double of_a = variance_of_mean(a);
  const double of_b = variance_of_mean(b);
  const double variance = of_a + of_b;
  if (!(variance > 0)) return Interval{between, between};
  // Computed from shares, because the squares of small variances would underflow.
  const double share_a = of_a / variance;
  const double share_b = of_b / variance;
  const double degrees = 1 / (share_a * share_a / freedom(a) + share_b * share_b / freedom(b));
  const double half = t_value(0.95, degrees) * std::sqrt(variance);
  return Interval{between - half, between + half};
}

}  // namespace convoy::study
