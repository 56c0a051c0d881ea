#include "convoy/study/loss_area.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "convoy/base/check.h"

namespace convoy::study {

namespace {

double place_of(const CurvePoint& point, CurveAxis axis, double cost_per_second) {
  switch (axis) {
    case CurveAxis::seconds:
      return point.seconds;
    case CurveAxis::samples:
      return point.samples;
    case CurveAxis::cost:
      return point.seconds * cost_per_second;
  }
  return 0;
}

bool is_finite(const LossCurve& curve) {
  return std::ranges::all_of(curve, [](const LossPoint& point) { return std::isfinite(point.loss); });
}

std::string reason_against(const LossCurve& curve) {
  if (curve.empty()) return "no epoch was finished";
  return is_finite(curve) ? "" : "the loss is not finite: it diverged, or the log does not have it";
}

// Those with an area first, then by it.
bool is_better(const RankedLoss& a, const RankedLoss& b) {
  if (!a.area || !b.area) return a.area.has_value() && !b.area;
  return *a.area < *b.area;
}

}  // namespace

LossCurve loss_curve(const RunMeasures& run, CurveAxis axis, CurveLoss loss, double price_per_worker_hour) {
  const double cost_per_second = static_cast<double>(run.ranks) * price_per_worker_hour / 3600;
  LossCurve curve;
  for (const CurvePoint& point : run.curve) {
    if (loss == CurveLoss::test && !point.test_loss) continue;
    const double at = place_of(point, axis, cost_per_second);
    // Without a price, or a duration, there is no place for it.
    if (at <= (curve.empty() ? 0.0 : curve.back().at)) continue;
    curve.push_back({at, loss == CurveLoss::test ? *point.test_loss : point.train_loss});
  }
  return curve;
}

std::optional<double> loss_area(const LossCurve& curve, double horizon) {
  CONVOY_CHECK(!curve.empty());
  CONVOY_CHECK(horizon > 0 && horizon <= curve.back().at);
  double area = 0;
  LossPoint before = {0, curve.front().loss};
  for (const LossPoint& point : curve) {
    if (before.at >= horizon) break;
    const double end = std::min(point.at, horizon);
    const double share = (end - before.at) / (point.at - before.at);
    const double loss_at_end = std::lerp(before.loss, point.loss, share);
    area += (end - before.at) * (before.loss + loss_at_end) / 2;
    before = point;
  }
  return std::isfinite(area) ? std::optional(area) : std::nullopt;
}

LossRanking rank_by_loss_area(std::span<const LossCurve> curves) {
  LossRanking ranking;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    ranking.ranked.push_back({.curve = i, .area = {}, .mean_loss = {}, .reason = reason_against(curves[i])});
    if (!ranking.ranked.back().reason.empty()) continue;
    const double end = curves[i].back().at;
    ranking.horizon = std::min(end, ranking.horizon.value_or(end));
  }
  for (RankedLoss& ranked : ranking.ranked) {
    if (!ranked.reason.empty()) continue;
    ranked.area = loss_area(curves[ranked.curve], *ranking.horizon);
    ranked.mean_loss = *ranked.area / *ranking.horizon;
  }
  std::ranges::stable_sort(ranking.ranked, is_better);
  return ranking;
}

}  // namespace convoy::study
