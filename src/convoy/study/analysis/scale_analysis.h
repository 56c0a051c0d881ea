// How throughput grows with workers (or threads): speed-up, efficiency, laws of scaling, and why.
#pragma once

#include <string>
#include <vector>

#include "convoy/study/analysis/scale_answer.h"
#include "convoy/study/analysis/scale_series.h"

namespace convoy::study {

struct ScaleAnalysis {
  std::string size_key;  // "workers" or "threads"
  std::string scaling;   // "strong", "weak", "weak and strong"; empty where imported logs do not say
  std::vector<ScaleSeries> series;
  bool any_oversubscribed = false;
  bool any_disturbed = false;      // a point that rests on disturbed runs
  bool any_beyond_linear = false;  // a point that is more efficient than can be
  bool all_single = true;          // no point was measured more than once, so nothing is known of how runs differ
  ScaleAnswer answer;
  std::vector<AllReduceChoice> all_reduces;

  [[nodiscard]] const ScalePoint& at(const ScalePlace& place) const { return series[place.series].points[place.point]; }
};

// Also of batch studies and imports, whose points then are series of their own where they differ in more than workers.
// What an imported log does not say is never taken for a value: a point of unknown size has no speed-up.
[[nodiscard]] ScaleAnalysis analyse_scaling(const StudyResults& results);

}  // namespace convoy::study
