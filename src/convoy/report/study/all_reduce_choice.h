// Which way of summing gradients is fastest, and whether the difference is more than chance.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "convoy/base/mean_difference.h"
#include "convoy/study/scale_analysis.h"

namespace convoy::report {

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
};

// By circumstances, then by size; empty when the all-reduce does not vary.
[[nodiscard]] std::vector<AllReduceChoice> all_reduce_choices(const study::ScaleAnalysis& analysis);

// "At 4 workers ring is fastest, 3.1 % ahead of mpi; ..." for one of them.
[[nodiscard]] std::string choice_text(const AllReduceChoice& choice, const std::string& size_key);

}  // namespace convoy::report
