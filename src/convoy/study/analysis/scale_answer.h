// What a scaling study answers over all its series. Doubtful points take no part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "convoy/base/mean_difference.h"
#include "convoy/study/analysis/scale_series.h"

namespace convoy::study {

// A point of an analysis, by the places of its series and of itself.
struct ScalePlace {
  std::size_t series = 0;
  std::size_t point = 0;

  bool operator==(const ScalePlace&) const = default;
};

// Of the series that differ in the all-reduce alone the fastest.
struct SeriesLeader {
  std::size_t series = 0;
  std::size_t rivals = 1;  // such series, itself counted
};

// The same settings and size, once by each kind of scaling.
struct WeakAgainstStrong {
  ScalePlace weak;
  ScalePlace strong;
};

struct ScaleAnswer {
  std::optional<ScalePlace> fastest;         // the highest throughput; of equals the first
  std::optional<ScalePlace> most_efficient;  // beyond the base of its series
  // That with the highest throughput beyond the base, which is every series'; absent without series.
  std::optional<std::size_t> best_series;
  std::vector<SeriesLeader> leaders;                   // in the order of the series
  std::vector<WeakAgainstStrong> weak_against_strong;  // of each leader, at the largest size that both have
};

[[nodiscard]] ScaleAnswer answer_scaling(const std::vector<ScaleSeries>& all);

// Which way of summing gradients is fastest, and whether the difference is more than chance.
struct MeasuredAllReduce {
  std::string name;
  Summary throughput;
};

// The measured choice against what a user could have named.
struct AutoComparison {
  std::string rival;    // the fastest of the others
  MeanDifference lead;  // of auto over it; negative where it is behind
  double rival_throughput = 0;
  bool is_repeated = false;

  [[nodiscard]] bool is_decided() const { return is_repeated && lead.is_significant(); }
};

// Points that differ in the all-reduce alone.
struct AllReduceChoice {
  std::string circumstances;  // the other settings that vary: "weak"; empty when none do
  std::int64_t size = 1;
  bool oversubscribed = false;
  std::vector<MeasuredAllReduce> measured;  // at least two, the fastest first
  MeanDifference lead;                      // of the fastest over the second
  std::optional<AutoComparison> automatic;  // absent where "auto" was not measured

  // Whether the lead has an interval: both were measured more than once.
  [[nodiscard]] bool is_repeated() const;
  // Whether the fastest is ahead by more than the spread of the runs.
  [[nodiscard]] bool is_decided() const { return is_repeated() && lead.is_significant(); }
};

// By circumstances, then by size; empty when the all-reduce does not vary. Disturbed points take no part.
[[nodiscard]] std::vector<AllReduceChoice> all_reduce_choices(const std::vector<ScaleSeries>& all);

}  // namespace convoy::study
