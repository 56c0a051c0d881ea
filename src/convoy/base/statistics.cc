#include "convoy/base/statistics.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "convoy/base/check.h"

namespace convoy {

double mean(std::span<const double> values) {
  CONVOY_CHECK(!values.empty());
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double median(std::span<const double> values) { return quantile(values, 0.5); }

double sample_standard_deviation(std::span<const double> values) {
  if (values.size() == 1) {
    return 0.0;
  }
  // Two passes: the sum of squares minus the square of the sum loses all digits when the spread is small.
  const double centre = mean(values);
  double squares = 0.0;
  for (const double value : values) {
    squares += (value - centre) * (value - centre);
  }
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double quantile(std::span<const double> values, double p) {
  CONVOY_CHECK(!values.empty());
  CONVOY_CHECK(p >= 0.0 && p <= 1.0);
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const double place = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

double t_value(double confidence, double degrees_of_freedom) {
  CONVOY_CHECK(confidence > 0.0 && confidence < 1.0);
  CONVOY_CHECK(degrees_of_freedom > 0.0);
  return boost::math::quantile(boost::math::students_t(degrees_of_freedom), 0.5 + confidence / 2.0);
}

double t_half_width(std::span<const double> values, double confidence) {
  CONVOY_CHECK(!values.empty());
  CONVOY_CHECK(confidence > 0.0 && confidence < 1.0);
  if (values.size() == 1) {
    return std::numeric_limits<double>::infinity();
  }
  const auto count = static_cast<double>(values.size());
  return t_value(confidence, count - 1.0) * sample_standard_deviation(values) / std::sqrt(count);
}

namespace {

double autocovariance(std::span<const double> values, double centre, std::size_t lag) {
  double sum = 0;
  for (std::size_t i = lag; i < values.size(); ++i) sum += (values[i] - centre) * (values[i - lag] - centre);
  return sum / static_cast<double>(values.size());
}

void add_interval(std::span<const double> values, Summary& summary) {
  if (values.size() < 2) return;
  const auto count = static_cast<double>(values.size());
  if (summary.minimum > 0) {
    std::vector<double> logs;
    for (const double value : values) logs.push_back(std::log(value));
    set_ratio_interval(summary, sample_standard_deviation(logs) / std::sqrt(count), count - 1, IntervalBasis::values);
    return;
  }
  const double half = t_half_width(values, 0.95);
  summary.low_95 = summary.mean - half;
  summary.high_95 = summary.mean + half;
  summary.interval_freedom = count - 1;
  summary.interval_from = IntervalBasis::values;
}

}  // namespace

std::string_view to_text(IntervalBasis basis) {
  switch (basis) {
    case IntervalBasis::none:
      return "none";
    case IntervalBasis::values:
      return "values";
    case IntervalBasis::pooled:
      return "pooled";
    case IntervalBasis::steps:
      return "steps";
  }
  return "";
}

void set_ratio_interval(Summary& summary, double error, double freedom, IntervalBasis basis) {
  const double ratio = std::exp(t_value(0.95, freedom) * error);
  summary.low_95 = summary.mean / ratio;
  summary.high_95 = summary.mean * ratio;
  summary.interval_freedom = freedom;
  summary.interval_from = basis;
}

double effective_count(std::span<const double> values) {
  CONVOY_CHECK(!values.empty());
  const auto count = static_cast<double>(values.size());
  const double centre = mean(values);
  const double variance = autocovariance(values, centre, 0);
  if (variance == 0) return count;
  // In a true autocorrelation, pairs of neighbouring lags have a positive sum. The first pair that has not is noise,
  // and so are all later ones.
  double tau = -1;
  constexpr std::size_t kMostLags = 500;  // at larger lags few values are left, and computing them takes long
  for (std::size_t lag = 0; lag + 1 < std::min(values.size(), kMostLags); lag += 2) {
    const double pair = autocovariance(values, centre, lag) + autocovariance(values, centre, lag + 1);
    if (pair <= 0) break;
    tau += 2 * pair / variance;
  }
  return std::clamp(count / std::max(tau, 1.0), 1.0, count);
}

Summary summarize(std::span<const double> values) {
  CONVOY_CHECK(!values.empty());
  const auto [minimum, maximum] = std::ranges::minmax(values);
  Summary summary;
  summary.count = static_cast<int>(values.size());
  summary.mean = mean(values);
  summary.median = median(values);
  summary.standard_deviation = sample_standard_deviation(values);
  // Avoids 0 / 0: equal values have no spread, even when their mean is 0.
  summary.cv = summary.standard_deviation == 0.0 ? 0.0 : summary.standard_deviation / std::abs(summary.mean);
  summary.minimum = minimum;
  summary.maximum = maximum;
  add_interval(values, summary);
  return summary;
}

}  // namespace convoy
