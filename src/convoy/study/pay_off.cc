#include "convoy/study/pay_off.h"

#include <vector>

namespace convoy::study {
namespace {

std::vector<const ScalePoint*> trusted_points(const ScaleSeries& series) {
  std::vector<const ScalePoint*> points;
  for (const ScalePoint& point : series.points) {
    if (point.statistics.throughput && !point.oversubscribed) points.push_back(&point);
  }
  return points;
}

}  // namespace

std::optional<PayOff> pay_off(const ScaleSeries& series) {
  const std::vector<const ScalePoint*> points = trusted_points(series);
  if (points.size() < 2) return std::nullopt;
  const ScalePoint& base = *points.front();
  const double fair = base.statistics.throughput->mean / static_cast<double>(base.size);
  PayOff result{.size = base.size, .largest_measured = points.back()->size};
  for (std::size_t i = 1; i < points.size(); ++i) {
    const double added = points[i]->statistics.throughput->mean - points[i - 1]->statistics.throughput->mean;
    const double workers = static_cast<double>(points[i]->size - points[i - 1]->size);
    const SizeStep step{.from = points[i - 1]->size, .to = points[i]->size, .gain = added / workers / fair};
    if (step.gain < kWorthwhile) {
      result.not_worth = step;
      break;
    }
    result.size = step.to;
    result.last = step;
  }
  return result;
}

}  // namespace convoy::study
