// A number that was estimated from measurements, with its uncertainty.
#pragma once

#include <optional>
#include <span>

namespace convoy::study {

struct Interval {
  double low = 0;
  double high = 0;  // may be infinite

  bool operator==(const Interval&) const = default;
};

struct Estimate {
  double value = 0;
  std::optional<Interval> interval_95;  // absent when there are too few observations

  bool operator==(const Estimate&) const = default;
};

// The 95 % interval of mean(a) - mean(b), by Welch's t, which allows different spreads. No value unless both have at
// least two values, because a single run says nothing about its spread.
[[nodiscard]] std::optional<Interval> difference_95(std::span<const double> a, std::span<const double> b);

}  // namespace convoy::study
