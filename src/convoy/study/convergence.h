// When a run's accuracy on the test data was good, and when it stayed so.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "convoy/study/run_measures.h"

namespace convoy::study {

// One evaluation.
struct AccuracyPoint {
  std::int64_t epoch = 0;
  double seconds = 0;   // since the start of the run, this evaluation included
  double accuracy = 0;  // a share in [0, 1]

  bool operator==(const AccuracyPoint&) const = default;
};

// The epochs that were evaluated, in order.
[[nodiscard]] std::vector<AccuracyPoint> accuracy_curve(const RunMeasures& run);

inline constexpr double kStableWithin = 0.005;  // half a point

struct StableAccuracy {
  std::int64_t epoch = 0;
  double seconds = 0;
  double level = 0;              // the best smoothed accuracy
  std::int64_t evaluations = 0;  // from this epoch to the end: one or two say little
};

// The first epoch from which every accuracy stays within `within` of the run's best smoothed one, above or below: a
// curve that still climbs is not stable. Smoothed is the mean of three successive evaluations (of all, where there are
// fewer), so that one lucky evaluation does not set a level that no other reaches. Nothing when the last evaluation is
// not within it, or there is none.
[[nodiscard]] std::optional<StableAccuracy> stable_accuracy(std::span<const AccuracyPoint> curve,
                                                            double within = kStableWithin);

// The first evaluation at or above the target.
[[nodiscard]] std::optional<AccuracyPoint> first_at_accuracy(std::span<const AccuracyPoint> curve, double target);

// Of the last evaluation.
[[nodiscard]] std::optional<double> final_accuracy(std::span<const AccuracyPoint> curve);

}  // namespace convoy::study
