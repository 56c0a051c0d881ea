#include "convoy/study/analysis/scaling_prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "convoy/base/number_text.h"
#include "convoy/study/analysis/scale_series.h"

namespace convoy::study {
namespace {

constexpr double kWidestPrediction = 2;  // high over low

std::string throughput_range(const Interval& interval) {
  if (!std::isfinite(interval.high)) return significant_text(interval.low) + " or more";
  return fmt::format("{} to {}", significant_text(interval.low), significant_text(interval.high));
}

// Why the law is not asked what it says of that size; empty when it is.
std::string reason_against_prediction(const ScaleSeries& series, const Interval& interval, std::int64_t size) {
  const auto is_it = [&](const ScalePoint& point) { return point.size == size && point.statistics.throughput; };
  if (std::ranges::any_of(series.points, is_it)) return fmt::format("size {} was measured", size);
  if (interval.high <= kWidestPrediction * interval.low) return "";
  return fmt::format("its interval at size {} is too wide to say anything ({} samples/s)", size,
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

}  // namespace convoy::study
