#include "convoy/study/analysis/scale_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "convoy/base/number_text.h"

namespace convoy::study {
namespace {

std::vector<const ScalePoint*> trusted_points(const ScaleSeries& series) {
  std::vector<const ScalePoint*> points;
  for (const ScalePoint& point : series.points) {
    if (point.size > 0 && point.statistics.throughput && !point.is_doubtful()) points.push_back(&point);
  }
  return points;
}

}  // namespace

std::string why_no_pay_off(const ScaleSeries& series) {
  if (series.base_is_disturbed) return "others used the cores while the base was measured";
  if (trusted_points(series).size() > 1) return "";
  return "fewer than two sizes were measured on cores of their own and undisturbed, after the skipped epochs";
}

namespace {

// `fair` is the throughput per worker of the base.
SizeStep step_between(const ScalePoint& from, const ScalePoint& to, double fair) {
  const double before = from.statistics.throughput->mean;
  const double after = to.statistics.throughput->mean;
  return {.from = from.size,
          .to = to.size,
          .gain = (after - before) / static_cast<double>(to.size - from.size) / fair,
          .ratio = after / before};
}

double fair_throughput(const ScalePoint& base) {
  return base.statistics.throughput->mean / static_cast<double>(base.size);
}

}  // namespace

std::vector<SizeStep> size_steps(const ScaleSeries& series) {
  if (!why_no_pay_off(series).empty()) return {};
  const std::vector<const ScalePoint*> points = trusted_points(series);
  std::vector<SizeStep> steps;
  for (std::size_t i = 1; i < points.size(); ++i) {
    steps.push_back(step_between(*points[i - 1], *points[i], fair_throughput(*points.front())));
  }
  return steps;
}

std::optional<PayOff> pay_off(const ScaleSeries& series) {
  if (!why_no_pay_off(series).empty()) return std::nullopt;
  const std::vector<const ScalePoint*> points = trusted_points(series);
  const ScalePoint* best = points.front();
  const double fair = fair_throughput(*best);
  PayOff result{.size = best->size, .largest_measured = points.back()->size};
  for (std::size_t i = 1; i < points.size(); ++i) {
    const SizeStep step = step_between(*best, *points[i], fair);
    if (step.is_worthwhile()) {
      best = points[i];
      result.size = step.to;
      result.last = step;
      result.not_worth.reset();
    } else if (!result.not_worth) {
      result.not_worth = step;
    }
  }
  return result;
}

namespace {

constexpr double kWidestPrediction = 2;  // ratio of the upper to the lower end

std::string throughput_range(const Interval& interval) {
  if (!std::isfinite(interval.high)) return significant_text(interval.low) + " or more";
  return fmt::format("{} to {}", significant_text(interval.low), significant_text(interval.high));
}

// Why the law's prediction for that size is not given; empty when it is.
std::string reason_against_prediction(const ScaleSeries& series, const Interval& interval, std::int64_t size) {
  const auto is_it = [&](const ScalePoint& point) { return point.size == size && point.statistics.throughput; };
  if (std::ranges::any_of(series.points, is_it)) return fmt::format("size {} was measured", size);
  if (interval.high <= kWidestPrediction * interval.low) return "";
  return fmt::format("its interval at size {} is too wide to conclude from ({} samples/s)", size,
                     throughput_range(interval));
}

}  // namespace

PredictionResult predict_beyond(const ScaleSeries& series, const ScalingFitResult& law) {
  if (!law.fit) return {};
  const std::int64_t size = series.farthest_prediction();
  const Estimate throughput = predict(*law.fit, size);
  std::string reason = reason_against_prediction(series, *throughput.interval_95, size);
  if (!reason.empty()) return {.prediction = {}, .reason = std::move(reason)};
  const double speed_up = throughput.value / predict(*law.fit, series.base_size).value;
  const double efficiency = speed_up * static_cast<double>(series.base_size) / static_cast<double>(size);
  return {.prediction = ScalingPrediction{size, throughput, speed_up, efficiency}, .reason = {}};
}

std::vector<const ScalePoint*> ScaleSeries::trusted_beyond_base() const {
  std::vector<const ScalePoint*> found;
  for (const ScalePoint& point : points) {
    if (point.is_trusted() && point.size != base_size) found.push_back(&point);
  }
  return found;
}

const ScalePoint* ScaleSeries::trusted_at(std::int64_t size) const {
  const auto found = std::ranges::find(points, size, &ScalePoint::size);
  return found == points.end() || !found->is_trusted() ? nullptr : &*found;
}

std::int64_t ScaleSeries::largest_trusted() const {
  std::int64_t largest = 0;
  for (const ScalePoint& point : points) {
    if (point.is_trusted()) largest = std::max(largest, point.size);
  }
  return largest;
}

double ScaleSeries::best_beyond_base() const {
  double best = 0;
  for (const ScalePoint* const point : trusted_beyond_base()) best = std::max(best, point->statistics.throughput->mean);
  return best;
}

}  // namespace convoy::study
