// What the runs of one point say together. Runs are the observations: epochs of one run are not independent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "convoy/base/statistics.h"
#include "convoy/study/run/study_results.h"

namespace convoy::study {

// The relative spread of a quantity over the runs of a study. Two runs of a point say little of its spread, but all
// points together say much, where they agree.
struct PooledSpread {
  double deviation = 0;      // of the logarithms, which is the CV where that is small
  double freedom = 0;        // degrees of freedom: runs beyond the first of each pooled point
  std::vector<bool> agrees;  // for each point: whether it may go by the pooled spread; single runs may
};

// `points` are the values of each point's runs, all positive. Spreads agree when none differs from that of all others
// together by an F test of the variances of the logarithms, at 5 % over all points (Bonferroni); the point that differs
// most is left out until they do. Nothing with fewer than two degrees of freedom: Student's t would be 12.7.
[[nodiscard]] std::optional<PooledSpread> pool_spread(std::span<const std::vector<double>> points);

// The runs that a point's numbers rest on: those that nobody disturbed, or, where all were disturbed, all that count.
[[nodiscard]] std::vector<const StudyRun*> measured_runs(const PointResult& point);

struct PointStatistics {
  std::int64_t runs = 0;                      // that the numbers rest on
  std::int64_t failed = 0;                    // that do not count
  std::int64_t disturbed = 0;                 // whose cores others used
  bool imported = false;                      // from logs of other systems
  bool rests_on_disturbed = false;            // there are no others, so the numbers are doubtful
  std::optional<Summary> throughput;          // samples per second, over runs
  std::optional<Summary> epoch_throughput;    // over the counted epochs of all runs
  std::optional<Summary> line_throughput;     // over the lines of imported logs
  std::optional<double> line_excess;          // by how much the mean over an epoch's lines exceeds the slowest, mean
  std::optional<Summary> step_seconds;        // means of the runs' steps, over runs
  std::optional<TimeShares> shares;           // mean over runs
  std::optional<double> hidden_share;         // of communication, mean over runs
  std::optional<Summary> turnaround_seconds;  // launch to exit, over runs; absent for imports
  std::optional<double> cost;                 // workers * price * hours of turnaround, mean; absent without a price
  std::optional<double> learning_rate;        // the highest of any step; absent when not known
  double cpu_use = 0;                         // cores kept busy, mean; 0 when not known
  double peak_memory_bytes = 0;               // largest
};

// Of the point alone: intervals go by the spread of its own runs.
[[nodiscard]] PointStatistics statistics_of(const PointResult& point, double price);

// As a point of its study: intervals of throughput, step time and turnaround go by the relative spread pooled over the
// points where it agrees (pooled_spread); a single run's, where there is no such spread, by its steps.
[[nodiscard]] PointStatistics statistics_of(const StudyResults& results, const PointResult& point);

// The number at the point, or of the whole study; `otherwise` where it is not said. Throws DataError for what is none.
[[nodiscard]] std::int64_t number_at(const StudySpec& spec, const Point& point, const std::string& key,
                                     std::int64_t otherwise);

// Samples of a step over all workers; 0 when no batch is known.
[[nodiscard]] std::int64_t global_batch(const StudySpec& spec, const Point& point);

}  // namespace convoy::study
