// Predicts results for numbers of workers that were not run, where the runs allow it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "convoy/study/analysis/converge_analysis.h"
#include "convoy/study/analysis/scale_analysis.h"
#include "convoy/study/measure/estimate.h"

namespace convoy::study {

struct Prediction {
  std::string quantity;              // "throughput"
  std::string unit;                  // "samples/s"
  std::string series;                // empty when there is only one
  std::int64_t size = 0;             // workers, or threads if those vary
  std::optional<Estimate> estimate;  // absent if the runs do not allow one
  std::string by;                    // what it is based on: "universal scalability law"
  double beyond = 0;                 // the size divided by the largest measured one
  std::string reason;                // why there is no estimate; empty when there is one
};

// Predicts throughput, epoch time, turnaround and cost by the laws of scaling (scaling_fit.h), fitted to each of them
// separately. A time is the inverse of a rate, and so is its interval. Quantities that no run has are left out.
// Doubtful points are not used.
[[nodiscard]] std::vector<Prediction> predict_scaling(const StudyResults& results, const ScaleAnalysis& analysis,
                                                      std::span<const std::int64_t> sizes);

// Predicts epochs to stable accuracy and final accuracy by their lines over doublings of the workers. These need three
// different numbers of workers.
[[nodiscard]] std::vector<Prediction> predict_convergence(const ConvergeAnalysis& analysis,
                                                          std::span<const std::int64_t> sizes);

}  // namespace convoy::study
