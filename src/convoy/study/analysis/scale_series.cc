#include "convoy/study/analysis/scale_series.h"

#include <algorithm>

namespace convoy::study {

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
