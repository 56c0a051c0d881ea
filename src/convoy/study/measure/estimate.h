// A number that was estimated from measurements, with how far it can be trusted.
#pragma once

#include <optional>

namespace convoy::study {

struct Interval {
  double low = 0;
  double high = 0;  // may be infinite

  bool operator==(const Interval&) const = default;
};

struct Estimate {
  double value = 0;
  std::optional<Interval> interval_95;  // absent when there are too few observations to tell

  bool operator==(const Estimate&) const = default;
};

}  // namespace convoy::study
