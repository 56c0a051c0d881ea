// How throughput grows with workers (or threads): speed-up, efficiency, laws of scaling, and why.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "convoy/study/point_statistics.h"
#include "convoy/study/scaling_fit.h"
#include "convoy/study/verdict.h"

namespace convoy::study {

struct ScalePoint {
  Point point;
  std::int64_t size = 1;  // workers, or threads where those vary; 0 when an imported log does not say
  std::int64_t workers = 1;
  std::int64_t threads = 1;  // 0 when no log says
  std::int64_t global_batch = 0;
  bool oversubscribed = false;
  PointStatistics statistics;
  // Against the base of the series; absent when either was not measured.
  std::optional<double> speed_up;         // throughput / throughput(base)
  std::optional<double> efficiency;       // speed_up / (size / size of the base)
  std::optional<double> time_efficiency;  // step time(base) / step time: what weak scaling goes by
  bool beyond_linear = false;             // more efficient than can be, beyond its interval: caches, or a slow base
  std::optional<Verdict> verdict;         // absent without shares of time, and where it would rest on disturbed runs

  // Whether others used the cores of all its runs.
  [[nodiscard]] bool is_disturbed() const { return statistics.rests_on_disturbed; }
  // Whether what it says of speed is to be taken with care.
  [[nodiscard]] bool is_doubtful() const { return oversubscribed || is_disturbed(); }
};

// Points that differ in size alone.
struct ScaleSeries {
  std::string name;  // "weak, ring"; empty when there is one series only
  Point values;      // what its points have in common
  bool is_weak = false;
  std::vector<ScalePoint> points;  // by size
  std::int64_t base_size = 0;      // 0 when nothing was measured
  bool base_is_disturbed = false;  // nothing is compared with it then
  // Doubtful points are left out: they tell of the cores there are and not of the law.
  ScalingFitResult amdahl;
  ScalingFitResult universal;
};

struct ScaleAnalysis {
  std::string size_key;  // "workers" or "threads"
  std::vector<ScaleSeries> series;
  bool any_oversubscribed = false;
  bool any_disturbed = false;  // a point that rests on disturbed runs
};

// Also of batch studies and imports, whose points then are series of their own where they differ in more than workers.
// What an imported log does not say is never taken for a value: a point of unknown size has no speed-up.
[[nodiscard]] ScaleAnalysis analyse_scaling(const StudyResults& results);

}  // namespace convoy::study
