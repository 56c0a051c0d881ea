// Which batch to train with: larger ones are faster up to a point, and beyond it only learn worse.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "convoy/base/statistics.h"

namespace convoy::study {

struct BatchThroughput {
  std::int64_t batch = 0;
  Summary throughput;  // over runs, or over the epochs of one
};

struct BatchAdvice {
  std::int64_t batch = 0;    // recommended
  std::int64_t fastest = 0;  // the batch of the highest mean
  bool certain = false;      // intervals are known and none of them reaches across the limit
  std::string why;           // one to three sentences
};

inline constexpr double kBatchTolerance = 0.05;

// The smallest batch whose mean throughput is within `tolerance` of the highest. Nothing without observations. Batches
// may come in any order, each once.
[[nodiscard]] std::optional<BatchAdvice> advise_batch(std::span<const BatchThroughput> batches,
                                                      double tolerance = kBatchTolerance);

}  // namespace convoy::study
