// When a run's accuracy on the test data was good, and when it stayed good.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "convoy/study/measure/run_measures.h"

namespace convoy::study {

// One evaluation.
struct AccuracyPoint {
  std::int64_t epoch = 0;
  double seconds = 0;   // since the start of the run, including this evaluation
  double accuracy = 0;  // a share in [0, 1]

  bool operator==(const AccuracyPoint&) const = default;
};

// The evaluated epochs, in order.
[[nodiscard]] std::vector<AccuracyPoint> accuracy_curve(const RunMeasures& run);

inline constexpr double kStableWithin = 0.005;  // half a percentage point
// An accuracy is called stable only after this many evaluations, including the first: one or two may be chance.
inline constexpr std::int64_t kStableEvaluations = 3;

struct StableAccuracy {
  std::int64_t epoch = 0;
  double seconds = 0;
  double level = 0;              // the best smoothed accuracy
  std::int64_t evaluations = 0;  // from this epoch to the end, at least kStableEvaluations
};

// The first epoch from which every accuracy stays within `within` of the run's best smoothed one, above or below; so a
// curve that still climbs is not stable. Smoothed means the mean of three successive evaluations, so that one lucky
// evaluation does not set a level that no other reaches. No value when fewer than kStableEvaluations stay within it.
[[nodiscard]] std::optional<StableAccuracy> stable_accuracy(std::span<const AccuracyPoint> curve,
                                                            double within = kStableWithin);

// The first evaluation at or above the target.
[[nodiscard]] std::optional<AccuracyPoint> first_at_accuracy(std::span<const AccuracyPoint> curve, double target);

// The part of a curve up to and including this epoch.
[[nodiscard]] std::vector<AccuracyPoint> up_to_epoch(std::span<const AccuracyPoint> curve, std::int64_t epoch);

}  // namespace convoy::study
