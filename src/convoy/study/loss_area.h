// Area under the loss curve: one number for how soon a run learned how much. Smaller is better.
//
// An epoch's mean loss stands at its end. From 0 to the end of the first epoch that epoch's loss is held, since nothing
// earlier is known and starting each run at its first point would hide how long it took to get there. After that it is
// the trapezoid between points. Runs are compared on a common horizon, the end of the shortest, with the loss there
// interpolated linearly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "convoy/study/run_measures.h"

namespace convoy::study {

enum class CurveAxis : std::uint8_t { seconds, samples, cost };
enum class CurveLoss : std::uint8_t { train, test };

struct LossPoint {
  double at = 0;  // seconds, samples or cost since the start
  double loss = 0;
};

// In the order of `at`, which is positive and grows.
using LossCurve = std::vector<LossPoint>;

// The curve of a run. For the test loss only epochs that were evaluated. Cost is ranks * price * hours, in the unit of
// the price, which no other axis needs. A run without epochs has an empty curve.
[[nodiscard]] LossCurve loss_curve(const RunMeasures& run, CurveAxis axis, CurveLoss loss = CurveLoss::train,
                                   double price_per_worker_hour = 0);

// The area from 0 to `horizon`, which lies in (0, curve.back().at]; nothing when a loss up to there is not finite.
[[nodiscard]] std::optional<double> loss_area(const LossCurve& curve, double horizon);

struct RankedLoss {
  std::size_t curve = 0;            // index into what was given
  std::optional<double> area;       // absent for a run that diverged or has no curve
  std::optional<double> mean_loss;  // area / horizon, which is easier to read
  std::string reason;               // why there is no area
};

struct LossRanking {
  std::optional<double> horizon;   // absent when no curve can be ranked
  std::vector<RankedLoss> ranked;  // all of them, the smallest area first; equals in the order given
};

// Curves with a loss that is not finite, and empty ones, come last and do not shorten the horizon.
[[nodiscard]] LossRanking rank_by_loss_area(std::span<const LossCurve> curves);

}  // namespace convoy::study
