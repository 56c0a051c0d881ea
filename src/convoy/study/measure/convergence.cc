#include "convoy/study/measure/convergence.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace convoy::study {

namespace {

constexpr std::size_t kWindow = 3;
static_assert(kWindow <= kStableEvaluations);

double mean_accuracy(std::span<const AccuracyPoint> window) {
  double sum = 0;
  for (const AccuracyPoint& point : window) sum += point.accuracy;
  return sum / static_cast<double>(window.size());
}

double best_smoothed(std::span<const AccuracyPoint> curve) {
  double best = 0;
  for (std::size_t i = 0; i + kWindow <= curve.size(); ++i) {
    best = std::max(best, mean_accuracy(curve.subspan(i, kWindow)));
  }
  return best;
}

}  // namespace

std::vector<AccuracyPoint> accuracy_curve(const RunMeasures& run) {
  std::vector<AccuracyPoint> curve;
  for (const CurvePoint& point : run.curve) {
    if (point.test_top1) curve.push_back({point.epoch, point.seconds, *point.test_top1});
  }
  return curve;
}

std::optional<StableAccuracy> stable_accuracy(std::span<const AccuracyPoint> curve, double within) {
  if (std::ssize(curve) < kStableEvaluations) return std::nullopt;
  // A tolerance for rounding: in binary, 0.705 - 0.700 is a little more than 0.005.
  constexpr double kRounding = 1e-9;
  const double level = best_smoothed(curve);
  std::size_t first = curve.size();
  while (first > 0 && std::abs(curve[first - 1].accuracy - level) <= within + kRounding) --first;
  if (std::ssize(curve.subspan(first)) < kStableEvaluations) return std::nullopt;
  return StableAccuracy{.epoch = curve[first].epoch,
                        .seconds = curve[first].seconds,
                        .level = level,
                        .evaluations = static_cast<std::int64_t>(curve.size() - first)};
}

std::optional<AccuracyPoint> first_at_accuracy(std::span<const AccuracyPoint> curve, double target) {
  const auto found = std::ranges::find_if(curve, [&](const AccuracyPoint& point) { return point.accuracy >= target; });
  return found == curve.end() ? std::nullopt : std::optional(*found);
}

std::vector<AccuracyPoint> up_to_epoch(std::span<const AccuracyPoint> curve, std::int64_t epoch) {
  std::vector<AccuracyPoint> part;
  std::ranges::copy_if(curve, std::back_inserter(part),
                       [&](const AccuracyPoint& point) { return point.epoch <= epoch; });
  return part;
}

}  // namespace convoy::study
