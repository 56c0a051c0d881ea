// What the runs of one point say together. The observations are runs, because epochs of one run are not independent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "convoy/base/statistics.h"
#include "convoy/study/run/study_results.h"

namespace convoy::study {

// The relative spread of a quantity over the runs of a study. Two runs of a point say little about its spread, but all
// points together say much, if they agree.
struct PooledSpread {
  double deviation = 0;      // of the logarithms; equals the CV if that is small
  double freedom = 0;        // degrees of freedom: runs of each pooled point beyond its first
  std::vector<bool> agrees;  // for each point, whether the pooled spread may be used for it; for single runs it may
};

// `points` has the values of each point's runs, all positive. Spreads agree when none differs from that of all others
// together, by an F test on the variances of the logarithms at a level of 5 % over all points (Bonferroni). The point
// that differs most is left out until they agree. No value with fewer than two degrees of freedom: Student's t would be
// 12.7.
[[nodiscard]] std::optional<PooledSpread> pool_spread(std::span<const std::vector<double>> points);

// The runs that a point's numbers are based on: the undisturbed ones or, if all were disturbed, all that count.
[[nodiscard]] std::vector<const StudyRun*> measured_runs(const PointResult& point);

struct PointStatistics {
  std::int64_t runs = 0;                    // how many runs the numbers are based on
  std::int64_t failed = 0;                  // how many runs do not count
  std::int64_t disturbed = 0;               // how many runs were disturbed
  bool imported = false;                    // from logs of other systems
  bool rests_on_disturbed = false;          // all of its runs were disturbed, so the numbers are doubtful
  std::optional<Summary> throughput;        // samples per second, over runs
  std::optional<Summary> epoch_throughput;  // over the counted epochs of all runs
  std::optional<Summary> line_throughput;   // over the lines of imported logs
  // How much the mean over an epoch's lines exceeds the slowest line, relatively; mean over epochs.
  std::optional<double> line_excess;
  std::optional<Summary> step_seconds;        // over runs, of the mean step time of each
  std::optional<TimeShares> shares;           // mean over runs
  std::optional<double> hidden_share;         // share of communication that was hidden, mean over runs
  std::optional<Summary> turnaround_seconds;  // from launch to exit, over runs; absent for imports
  std::optional<double> cost;                 // workers * price * hours of turnaround, mean; absent without a price
  std::optional<double> learning_rate;        // the highest of any step; absent when not known
  double cpu_use = 0;                         // how many cores were busy, mean; 0 when not known
  double peak_memory_bytes = 0;               // the largest
};

// Statistics of the point alone: intervals are based on the spread of its own runs.
[[nodiscard]] PointStatistics statistics_of(const PointResult& point, double price);

// Statistics of a point within its study: intervals of throughput, step time and turnaround use the relative spread
// pooled over the points that agree (pool_spread). If there is none, the interval of a single run is based on its
// steps.
[[nodiscard]] PointStatistics statistics_of(const StudyResults& results, const PointResult& point);

// The number of a setting at the point or, if it has none, for the whole study; `otherwise` if neither says it. Throws
// DataError if it is not a number.
[[nodiscard]] std::int64_t number_at(const StudySpec& spec, const Point& point, const std::string& key,
                                     std::int64_t otherwise);

// Samples of a step over all workers; 0 when no batch is known.
[[nodiscard]] std::int64_t global_batch(const StudySpec& spec, const Point& point);

}  // namespace convoy::study
