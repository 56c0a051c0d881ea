// What a scaling study answers over all its series. Doubtful points take no part.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

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

}  // namespace convoy::study
