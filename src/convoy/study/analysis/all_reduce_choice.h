// Which way of summing gradients is fastest, and whether the difference is more than chance.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "convoy/base/mean_difference.h"
#include "convoy/study/analysis/scale_series.h"

namespace convoy::study {

struct MeasuredAllReduce {
  std::string name;
  Summary throughput;
};

// Points that differ in the all-reduce alone.
struct AllReduceChoice {
  std::string circumstances;  // the other settings that vary: "weak"; empty when none do
  std::int64_t size = 1;
  bool oversubscribed = false;
  std::vector<MeasuredAllReduce> measured;  // at least two, the fastest first
  MeanDifference lead;                      // of the fastest over the second

  // Whether the lead has an interval: both were measured more than once.
  [[nodiscard]] bool is_repeated() const;
  // Whether the fastest is ahead by more than the spread of the runs.
  [[nodiscard]] bool is_decided() const { return is_repeated() && lead.is_significant(); }
};

// By circumstances, then by size; empty when the all-reduce does not vary. Disturbed points take no part.
[[nodiscard]] std::vector<AllReduceChoice> all_reduce_choices(const std::vector<ScaleSeries>& all);

}  // namespace convoy::study
