#include "convoy/study/analysis/batch_analysis.h"

#include <algorithm>
#include <utility>

namespace convoy::study {
namespace {

std::optional<BatchAdvice> advice_for(const std::vector<BatchPoint>& points) {
  std::vector<BatchThroughput> measured;
  for (const BatchPoint& point : points) {
    if (point.statistics.throughput && !point.statistics.rests_on_disturbed)
      measured.push_back({point.batch, *point.statistics.throughput});
  }
  return advise_batch(measured);
}

}  // namespace

BatchAnalysis analyse_batches(const StudyResults& results) {
  std::vector<std::pair<Point, BatchSeries>> found;
  for (const PointResult& result : results.points) {
    Point rest = result.point;
    rest.erase("batch");
    auto place = std::ranges::find(found, rest, &std::pair<Point, BatchSeries>::first);
    if (place == found.end()) place = found.insert(found.end(), {rest, BatchSeries{.name = point_text(rest)}});
    place->second.points.push_back({.point = result.point,
                                    .batch = number_at(results.spec, result.point, "batch", 0),
                                    .oversubscribed = result.oversubscribed,
                                    .statistics = statistics_of(results, result)});
  }
  BatchAnalysis analysis;
  for (auto& [rest, series] : found) {
    if (found.size() == 1) series.name.clear();
    std::ranges::stable_sort(series.points, {}, &BatchPoint::batch);
    series.advice = advice_for(series.points);
    analysis.series.push_back(std::move(series));
  }
  return analysis;
}

}  // namespace convoy::study
