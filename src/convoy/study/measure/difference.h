// Whether two points differ, by the spread of their runs.
#pragma once

#include <optional>
#include <span>

#include "convoy/study/measure/estimate.h"

namespace convoy::study {

// The 95 % interval of mean(a) - mean(b), by Welch's t: spreads may differ. Nothing unless both have two values or
// more, because a single run says nothing about its spread.
[[nodiscard]] std::optional<Interval> difference_95(std::span<const double> a, std::span<const double> b);

}  // namespace convoy::study
