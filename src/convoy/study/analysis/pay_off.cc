#include "convoy/study/analysis/pay_off.h"

#include <vector>

#include "convoy/study/analysis/scale_series.h"

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
  return "fewer than two sizes were measured on cores of their own and undisturbed, after the warm-up";
}

std::optional<PayOff> pay_off(const ScaleSeries& series) {
  if (!why_no_pay_off(series).empty()) return std::nullopt;
  const std::vector<const ScalePoint*> points = trusted_points(series);
  const ScalePoint* best = points.front();
  const double fair = best->statistics.throughput->mean / static_cast<double>(best->size);
  PayOff result{.size = best->size, .largest_measured = points.back()->size};
  for (std::size_t i = 1; i < points.size(); ++i) {
    const double added = points[i]->statistics.throughput->mean - best->statistics.throughput->mean;
    const SizeStep step{.from = best->size,
                        .to = points[i]->size,
                        .gain = added / static_cast<double>(points[i]->size - best->size) / fair};
    if (step.gain >= kWorthwhile) {
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

}  // namespace convoy::study
