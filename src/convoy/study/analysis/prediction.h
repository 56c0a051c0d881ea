// What a study says of numbers of workers that were not run, where its runs carry it.
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
  std::string series;                // empty when there is one only
  std::int64_t size = 0;             // workers, or threads where those vary
  std::optional<Estimate> estimate;  // absent where the runs do not carry one
  std::string by;                    // what it goes by: "universal scalability law"
  double beyond = 0;                 // the size over the largest that it goes by
  std::string reason;                // why there is no estimate; empty when there is one
};

// Throughput, epoch time, turnaround and cost by the laws of scaling (scaling_fit.h), fitted to each by itself: a time
// is a rate turned over, and so is its interval. Quantities that no run tells are left out. Doubtful points take no
// part.
[[nodiscard]] std::vector<Prediction> predict_scaling(const StudyResults& results, const ScaleAnalysis& analysis,
                                                      std::span<const std::int64_t> sizes);

// Epochs to stable accuracy and final accuracy, by their lines over doublings of the workers, which take three
// different numbers of them.
[[nodiscard]] std::vector<Prediction> predict_convergence(const ConvergeAnalysis& analysis,
                                                          std::span<const std::int64_t> sizes);

}  // namespace convoy::study
