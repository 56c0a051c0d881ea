// The statistics that Convoy reports about repeated measurements: never a mean without its spread.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace convoy {

// What the width of an interval is based on.
enum class IntervalBasis : std::uint8_t {
  none,    // there is no interval: one measurement says nothing about its spread
  values,  // the spread of the values themselves
  pooled,  // the relative spread of many points together
  steps,   // how steady a single run was, which says nothing about how runs differ
};

[[nodiscard]] std::string_view to_text(IntervalBasis basis);

struct Summary {
  int count = 0;
  double mean = 0;
  double median = 0;
  double standard_deviation = 0;  // of the sample (n - 1); zero for a single value
  double cv = 0;                  // coefficient of variation: standard deviation over the mean's magnitude
  double minimum = 0;
  double maximum = 0;
  // The 95 % Student-t interval of the mean; unbounded for a single value. For positive values it is computed on a
  // logarithmic scale, mean / r to mean * r, so that it does not reach below zero.
  double low_95 = -std::numeric_limits<double>::infinity();
  double high_95 = std::numeric_limits<double>::infinity();
  double interval_freedom = 0;  // degrees of freedom
  IntervalBasis interval_from = IntervalBasis::none;

  [[nodiscard]] bool has_interval() const { return interval_from != IntervalBasis::none; }
};

// Sets the interval of a positive mean from the logarithms of the values: `error` is the standard error of their mean
// and `freedom` its degrees of freedom, which must be positive.
void set_ratio_interval(Summary& summary, double error, double freedom, IntervalBasis basis);

// All functions need at least one value and no NaN. Only effective_count depends on the order of the values.
[[nodiscard]] Summary summarize(std::span<const double> values);

[[nodiscard]] double mean(std::span<const double> values);
[[nodiscard]] double median(std::span<const double> values);
[[nodiscard]] double sample_standard_deviation(std::span<const double> values);

// The value below which a share p in [0, 1] lies, interpolated linearly between neighbours (R's and NumPy's default).
[[nodiscard]] double quantile(std::span<const double> values, double p);

// Student's t for a two-sided interval at the given confidence, in (0, 1): 12.706 for 0.95 at one degree of freedom.
[[nodiscard]] double t_value(double confidence, double degrees_of_freedom);

// How many independent values would say as much about the mean as these, which follow each other in time: n / tau,
// where tau is 1 + 2 times the sum of the autocorrelations (Geyer's initial positive sequence). Between 1 and n.
[[nodiscard]] double effective_count(std::span<const double> values);

// Half the width of the two-sided Student-t interval of the mean at the given confidence, in (0, 1).
[[nodiscard]] double t_half_width(std::span<const double> values, double confidence);

}  // namespace convoy
