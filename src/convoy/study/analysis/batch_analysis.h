// How throughput depends on the batch size, for each combination of the other settings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "convoy/study/analysis/batch_advice.h"
#include "convoy/study/analysis/point_statistics.h"

namespace convoy::study {

struct BatchPoint {
  Point point;
  std::int64_t batch = 0;
  bool oversubscribed = false;
  PointStatistics statistics;
};

// Points that differ in the batch alone.
struct BatchSeries {
  std::string name;                   // "workers 2"; empty when there is one series only
  std::vector<BatchPoint> points;     // by batch
  std::optional<BatchAdvice> advice;  // absent when nothing was measured
};

struct BatchAnalysis {
  std::vector<BatchSeries> series;
};

// Throws DataError where a batch is no whole number.
[[nodiscard]] BatchAnalysis analyse_batches(const StudyResults& results);

}  // namespace convoy::study
