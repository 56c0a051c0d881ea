// The area under the loss curve: one number for how soon a run learned how much. Smaller is better.
//
// The curve consists of steps: the loss of a step is placed at its end, and that of the first step also at 0, because
// it is the loss of the untrained weights. It is not smoothed, since the area is a mean already. A run without steps,
// such as an imported log, has the mean losses of its epochs, each at its end; before the first of them nothing is
// known, so its curve begins there. Between points the curve is linear.
//
// Runs are compared over one range: from where the last curve begins, which is 0 if all have steps, to the horizon, the
// end of the shortest run. Losses at its ends are interpolated linearly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "convoy/study/measure/run_measures.h"

namespace convoy::study {

enum class CurveAxis : std::uint8_t { seconds, samples, cost };
enum class CurveLoss : std::uint8_t { train, test };

struct LossPoint {
  double at = 0;  // seconds, samples or cost since the start
  double loss = 0;
};

// In ascending order of `at`, which is not negative.
using LossCurve = std::vector<LossPoint>;

// The curve of a run, from its steps if it has them. The test loss is known only for evaluated epochs. Cost is ranks *
// price * hours, in the unit of the price, which no other axis needs. Empty for a run without steps and epochs.
[[nodiscard]] LossCurve loss_curve(const RunMeasures& run, CurveAxis axis, CurveLoss loss = CurveLoss::train,
                                   double price_per_worker_hour = 0);

// For a figure: at most `most` points, each the mean of equally many successive ones and placed in their middle.
[[nodiscard]] LossCurve smoothed(const LossCurve& curve, std::size_t most);

// The range of an axis over which curves are compared.
struct Stretch {
  double from = 0;
  double to = 0;

  [[nodiscard]] double length() const { return to - from; }
  bool operator==(const Stretch&) const = default;
};

// The area over the range, which must not be empty and must lie within the curve; no value if a loss in it is not
// finite.
[[nodiscard]] std::optional<double> loss_area(const LossCurve& curve, const Stretch& stretch);

struct RankedLoss {
  std::size_t curve = 0;            // its index among the given curves
  std::optional<double> area;       // absent for a run that diverged or has no curve up to the horizon
  std::optional<double> mean_loss;  // area / length of the range, which is easier to read
  std::string reason;               // why there is no area
};

struct LossRanking {
  std::optional<Stretch> stretch;  // absent when no curve can be ranked
  std::vector<RankedLoss> ranked;  // all curves, the smallest area first; equal ones in the given order
};

// Curves with a loss that is not finite, and empty ones, come last and do not shorten the horizon. So do curves that
// begin at or beyond the horizon, because nothing of them can be compared.
[[nodiscard]] LossRanking rank_by_loss_area(std::span<const LossCurve> curves);

}  // namespace convoy::study
