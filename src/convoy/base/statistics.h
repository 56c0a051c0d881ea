// The statistics Convoy reports of repeated measurements: never a mean without its spread.
#pragma once

#include <span>

namespace convoy {

struct Summary {
  int count = 0;
  double mean = 0;
  double median = 0;
  double standard_deviation = 0;  // of the sample (n - 1); zero for a single value
  double cv = 0;                  // coefficient of variation: standard deviation over the mean's magnitude
  double minimum = 0;
  double maximum = 0;
  // The 95 % Student-t interval of the mean is mean +- half_width_95. Infinite for a single value: one measurement
  // says nothing about its spread.
  double half_width_95 = 0;
};

// All functions need at least one value, none of them NaN, in any order; none of them changes the values.
[[nodiscard]] Summary summarize(std::span<const double> values);

[[nodiscard]] double mean(std::span<const double> values);
[[nodiscard]] double median(std::span<const double> values);
[[nodiscard]] double sample_standard_deviation(std::span<const double> values);

// The value below which a share p in [0, 1] lies, interpolated linearly between neighbours (R's and NumPy's default).
[[nodiscard]] double quantile(std::span<const double> values, double p);

// Student's t for a two-sided interval at the given confidence, in (0, 1): 12.706 for 0.95 at one degree of freedom.
[[nodiscard]] double t_value(double confidence, double degrees_of_freedom);

// Half the width of the two-sided Student-t interval of the mean at the given confidence, in (0, 1).
[[nodiscard]] double t_half_width(std::span<const double> values, double confidence);

}  // namespace convoy
