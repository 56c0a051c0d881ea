// Area under the loss curve: one number for how soon a run learned how much. Smaller is better.
//
// The curve is made of steps: the loss of a step stands at its end, and that of the first one also at 0, because it is
// the loss of the untrained weights. It is not smoothed, since the area is a mean already. A run without steps, such as
// an imported log, has the mean losses of its epochs, each at its end: nothing is known before the first one, so its
// curve begins there. Between points it is the trapezoid.
//
// Runs are compared on one stretch: from where the last curve begins, which is 0 where all have steps, to the horizon,
// the end of the shortest run, with the losses there interpolated linearly.
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

// In the order of `at`, which is not negative and grows.
using LossCurve = std::vector<LossPoint>;

// The curve of a run, of its steps where it has them. The test loss is known at epochs that were evaluated only. Cost
// is ranks * price * hours, in the unit of the price, which no other axis needs. A run without steps and epochs has an
// empty curve.
[[nodiscard]] LossCurve loss_curve(const RunMeasures& run, CurveAxis axis, CurveLoss loss = CurveLoss::train,
                                   double price_per_worker_hour = 0);

// For a figure: at most so many points, each the mean of as many successive ones, in the middle of them.
[[nodiscard]] LossCurve smoothed(const LossCurve& curve, std::size_t most);

// The part of an axis that curves are compared on.
struct Stretch {
  double from = 0;
  double to = 0;

  [[nodiscard]] double length() const { return to - from; }
  bool operator==(const Stretch&) const = default;
};

// The area over the stretch, which is not empty and lies within the curve; nothing when a loss in it is not finite.
[[nodiscard]] std::optional<double> loss_area(const LossCurve& curve, const Stretch& stretch);

struct RankedLoss {
  std::size_t curve = 0;            // index into what was given
  std::optional<double> area;       // absent for a run that diverged or has no curve up to the horizon
  std::optional<double> mean_loss;  // area / length of the stretch, which is easier to read
  std::string reason;               // why there is no area
};

struct LossRanking {
  std::optional<Stretch> stretch;  // absent when no curve can be ranked
  std::vector<RankedLoss> ranked;  // all of them, the smallest area first; equals in the order given
};

// Curves with a loss that is not finite, and empty ones, come last and do not shorten the horizon. Curves that begin at
// or beyond it come last too: nothing of them can be compared.
[[nodiscard]] LossRanking rank_by_loss_area(std::span<const LossCurve> curves);

}  // namespace convoy::study
