#include "convoy/study/measure/loss_area.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "convoy/base/check.h"

namespace convoy::study {

namespace {

// Places the points of one run on one axis.
class CurveMaker {
 public:
  CurveMaker(const RunMeasures& run, CurveAxis axis, double price_per_worker_hour)
      : axis_(axis), cost_per_second_(static_cast<double>(run.ranks) * price_per_worker_hour / 3600) {}

  void add(const auto& seen, double loss) {
    const double at = place_of(seen.seconds, seen.samples);
    // Skips points that do not advance on the axis, such as all of them if the axis is cost and there is no price.
    if (at > (curve_.empty() ? 0.0 : curve_.back().at)) curve_.push_back({at, loss});
  }

  // The first loss is that of the untrained weights, so it also holds at 0.
  void begin_at_zero() {
    if (!curve_.empty()) curve_.insert(curve_.begin(), {0, curve_.front().loss});
  }

  [[nodiscard]] LossCurve take() { return std::move(curve_); }

 private:
  [[nodiscard]] double place_of(double seconds, double samples) const {
    switch (axis_) {
      case CurveAxis::seconds:
        return seconds;
      case CurveAxis::samples:
        return samples;
      case CurveAxis::cost:
        return seconds * cost_per_second_;
    }
    return 0;
  }

  CurveAxis axis_;
  double cost_per_second_;
  LossCurve curve_;
};

bool is_finite(const LossCurve& curve) {
  return std::ranges::all_of(curve, [](const LossPoint& point) { return std::isfinite(point.loss); });
}

std::string reason_against(const LossCurve& curve) {
  if (curve.empty()) return "it has no loss";
  return is_finite(curve) ? "" : "the loss is not finite: it diverged, or the log does not have it";
}

double loss_at(const LossPoint& left, const LossPoint& right, double at) {
  return std::lerp(left.loss, right.loss, (at - left.at) / (right.at - left.at));
}

// The end of the shortest curve that can be ranked; infinite if there is none.
double horizon_of(std::span<const LossCurve> curves, const std::vector<RankedLoss>& ranked) {
  double horizon = std::numeric_limits<double>::infinity();
  for (const RankedLoss& each : ranked) {
    if (each.reason.empty()) horizon = std::min(horizon, curves[each.curve].back().at);
  }
  return horizon;
}

// Curves with an area come first, ordered by area.
bool is_better(const RankedLoss& a, const RankedLoss& b) {
  if (!a.area || !b.area) return a.area.has_value() && !b.area;
  return *a.area < *b.area;
}

}  // namespace

LossCurve loss_curve(const RunMeasures& run, CurveAxis axis, CurveLoss loss, double price_per_worker_hour) {
  CurveMaker curve(run, axis, price_per_worker_hour);
  if (loss == CurveLoss::train && !run.loss_steps.empty()) {
    for (const LossStep& step : run.loss_steps) curve.add(step, step.loss);
    curve.begin_at_zero();
    return curve.take();
  }
  for (const CurvePoint& point : run.curve) {
    if (loss == CurveLoss::train) curve.add(point, point.train_loss);
    if (loss == CurveLoss::test && point.test_loss) curve.add(point, *point.test_loss);
  }
  return curve.take();
}

LossCurve smoothed(const LossCurve& curve, std::size_t most) {
  CONVOY_CHECK(most > 0);
  const std::size_t together = (curve.size() + most - 1) / most;
  LossCurve result;
  for (std::size_t begin = 0; begin < curve.size(); begin += together) {
    const auto group = std::span(curve).subspan(begin, std::min(together, curve.size() - begin));
    LossPoint& sum = result.emplace_back();
    for (const LossPoint& point : group) {
      sum.at += point.at / static_cast<double>(group.size());
      sum.loss += point.loss / static_cast<double>(group.size());
    }
  }
  return result;
}

std::optional<double> loss_area(const LossCurve& curve, const Stretch& stretch) {
  CONVOY_CHECK(!curve.empty());
  CONVOY_CHECK(curve.front().at <= stretch.from && stretch.from < stretch.to && stretch.to <= curve.back().at);
  double area = 0;
  for (std::size_t i = 1; i < curve.size(); ++i) {
    const LossPoint& left = curve[i - 1];
    const LossPoint& right = curve[i];
    const double from = std::max(left.at, stretch.from);
    const double to = std::min(right.at, stretch.to);
    if (from >= to) continue;
    area += (to - from) * (loss_at(left, right, from) + loss_at(left, right, to)) / 2;
  }
  return std::isfinite(area) ? std::optional(area) : std::nullopt;
}

LossRanking rank_by_loss_area(std::span<const LossCurve> curves) {
  LossRanking ranking;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    ranking.ranked.push_back({.curve = i, .area = {}, .mean_loss = {}, .reason = reason_against(curves[i])});
  }
  const double horizon = horizon_of(curves, ranking.ranked);
  for (RankedLoss& ranked : ranking.ranked) {
    if (!ranked.reason.empty()) continue;
    const double begin = curves[ranked.curve].front().at;
    if (begin >= horizon) {
      ranked.reason = "its first loss is known at the end of its first epoch, when the shortest run had ended";
      continue;
    }
    if (!ranking.stretch) ranking.stretch = Stretch{.from = begin, .to = horizon};
    ranking.stretch->from = std::max(ranking.stretch->from, begin);
  }
  for (RankedLoss& ranked : ranking.ranked) {
    if (!ranked.reason.empty()) continue;
    ranked.area = loss_area(curves[ranked.curve], *ranking.stretch);
    if (ranked.area) ranked.mean_loss = *ranked.area / ranking.stretch->length();
    if (!ranked.area) ranked.reason = "the loss is too large to be added up";
  }
  std::ranges::stable_sort(ranking.ranked, is_better);
  return ranking;
}

}  // namespace convoy::study
