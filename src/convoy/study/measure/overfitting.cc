#include "convoy/study/measure/overfitting.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace convoy::study {
namespace {

struct Losses {
  std::int64_t first_epoch = 0;
  std::int64_t last_epoch = 0;
  double test = 0;  // mean over the window
  double train = 0;
};

std::vector<const CurvePoint*> with_both_losses(std::span<const CurvePoint> curve) {
  std::vector<const CurvePoint*> points;
  for (const CurvePoint& point : curve) {
    if (point.test_loss && std::isfinite(*point.test_loss) && std::isfinite(point.train_loss)) points.push_back(&point);
  }
  return points;
}

Losses losses_at(const std::vector<const CurvePoint*>& points, std::size_t begin) {
  Losses losses;
  for (std::size_t i = begin; i < begin + kOverfittingWindow; ++i) {
    losses.test += *points[i]->test_loss / static_cast<double>(kOverfittingWindow);
    losses.train += points[i]->train_loss / static_cast<double>(kOverfittingWindow);
  }
  losses.first_epoch = points[begin]->epoch;
  losses.last_epoch = points[begin + kOverfittingWindow - 1]->epoch;
  return losses;
}

}  // namespace

std::string_view to_text(Overfitting overfitting) {
  switch (overfitting) {
    case Overfitting::unknown:
      return "unknown";
    case Overfitting::not_seen:
      return "not seen";
    case Overfitting::seen:
      return "seen";
  }
  return "";
}

OverfittingVerdict judge_overfitting(std::span<const CurvePoint> curve) {
  constexpr std::size_t kFewest = 2 * kOverfittingWindow;
  const std::vector<const CurvePoint*> points = with_both_losses(curve);
  if (points.size() < kFewest) {
    return {Overfitting::unknown,
            fmt::format("{} evaluations with training and test loss, at least {} are needed", points.size(), kFewest)};
  }
  const std::size_t end = points.size() - kOverfittingWindow;
  Losses lowest = losses_at(points, 0);
  for (std::size_t i = 1; i <= end; ++i) {
    if (const Losses losses = losses_at(points, i); losses.test < lowest.test) lowest = losses;
  }
  const Losses last = losses_at(points, end);
  const bool apart = lowest.last_epoch < last.first_epoch;
  const bool rose = last.test > (1 + kOverfittingRise) * lowest.test;
  const bool learned_on = last.train < lowest.train;
  const std::string numbers =
      fmt::format("test loss {:.3g} around epoch {} and {:.3g} in the end, training loss {:.3g} and {:.3g}",
                  lowest.test, (lowest.first_epoch + lowest.last_epoch) / 2, last.test, lowest.train, last.train);
  return {apart && rose && learned_on ? Overfitting::seen : Overfitting::not_seen, numbers};
}

}  // namespace convoy::study
