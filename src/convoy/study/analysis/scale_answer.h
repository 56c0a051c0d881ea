// What a scaling study answers over all its series. Doubtful points are not used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "convoy/base/mean_difference.h"
#include "convoy/study/analysis/scale_series.h"

namespace convoy::study {

// A point of an analysis: the index of its series and its own index there.
struct ScalePlace {
  std::size_t series = 0;
  std::size_t point = 0;

  bool operator==(const ScalePlace&) const = default;
};

// The fastest of the series that differ only in the all-reduce.
struct SeriesLeader {
  std::size_t series = 0;
  std::size_t rivals = 1;  // how many such series there are, including this one
};

// The same settings and size with both kinds of scaling.
struct WeakAgainstStrong {
  ScalePlace weak;
  ScalePlace strong;
};

struct ScaleAnswer {
  std::optional<ScalePlace> fastest;         // the highest throughput; the first if several are equal
  std::optional<ScalePlace> most_efficient;  // among points larger than the base of their series
  // The series with the highest throughput at a point larger than the base, which all series share; absent without
  // series.
  std::optional<std::size_t> best_series;
  std::vector<SeriesLeader> leaders;                   // in the order of the series
  std::vector<WeakAgainstStrong> weak_against_strong;  // for each leader, at the largest size that both have
};

[[nodiscard]] ScaleAnswer answer_scaling(const std::vector<ScaleSeries>& all);

// Which all-reduce is fastest, and whether the difference is more than chance.
struct MeasuredAllReduce {
  std::string name;
  Summary throughput;
};

// "auto" compared with the all-reduces that a user could have named.
struct AutoComparison {
  std::string rival;    // the fastest of the others
  MeanDifference lead;  // how much faster auto is; negative if it is slower
  double rival_throughput = 0;
  bool is_repeated = false;

  [[nodiscard]] bool is_decided() const { return is_repeated && lead.is_significant(); }
};

// Points that differ only in the all-reduce.
struct AllReduceChoice {
  std::string circumstances;  // the other settings that vary: "weak"; empty when none do
  std::int64_t size = 1;
  bool oversubscribed = false;
  std::vector<MeasuredAllReduce> measured;  // at least two, the fastest first
  MeanDifference lead;                      // of the fastest over the second
  std::optional<AutoComparison> automatic;  // absent if "auto" was not measured

  // Whether the lead has an interval, that is, both were measured more than once.
  [[nodiscard]] bool is_repeated() const;
  // Whether the fastest leads by more than the spread of the runs.
  [[nodiscard]] bool is_decided() const { return is_repeated() && lead.is_significant(); }
};

// Ordered by circumstances, then by size; empty when the all-reduce does not vary. Disturbed points are not used.
[[nodiscard]] std::vector<AllReduceChoice> all_reduce_choices(const std::vector<ScaleSeries>& all);

}  // namespace convoy::study
