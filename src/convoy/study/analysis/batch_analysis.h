// How throughput depends on the batch size, for each combination of the other settings.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "convoy/base/statistics.h"
#include "convoy/study/analysis/point_statistics.h"

namespace convoy::study {

// Which batch to train with: larger ones are faster up to a point; beyond it they only learn worse.
struct BatchThroughput {
  std::int64_t batch = 0;
  Summary throughput;  // over runs, or over the epochs of a single run
};

struct BatchAdvice {
  std::int64_t batch = 0;    // the recommended one
  std::int64_t fastest = 0;  // the batch with the highest mean
  bool certain = false;      // whether all intervals are known and none of them contains the limit
  std::string why;           // one to three sentences
};

inline constexpr double kBatchTolerance = 0.05;

// The smallest batch whose mean throughput is within `tolerance` of the highest. No value without observations. Batches
// may come in any order, each once.
[[nodiscard]] std::optional<BatchAdvice> advise_batch(std::span<const BatchThroughput> batches,
                                                      double tolerance = kBatchTolerance);

struct BatchPoint {
  Point point;
  std::int64_t batch = 0;
  bool oversubscribed = false;
  PointStatistics statistics;
};

// Points that differ only in the batch.
struct BatchSeries {
  std::string name;                   // "workers 2"; empty when there is only one series
  std::vector<BatchPoint> points;     // by batch
  std::optional<BatchAdvice> advice;  // absent when nothing was measured
};

struct BatchAnalysis {
  std::vector<BatchSeries> series;
};

// Throws DataError if a batch is not a whole number.
[[nodiscard]] BatchAnalysis analyse_batches(const StudyResults& results);

}  // namespace convoy::study
