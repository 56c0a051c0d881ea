// How throughput grows with workers (or threads): speed-up, efficiency, laws of scaling, and reasons.
#pragma once

#include <string>
#include <vector>

#include "convoy/study/analysis/scale_answer.h"
#include "convoy/study/analysis/scale_series.h"

namespace convoy::study {

struct ScaleAnalysis {
  std::string size_key;  // "workers" or "threads"
  std::string scaling;   // "strong", "weak", "weak and strong"; empty if imported logs do not say
  std::vector<ScaleSeries> series;
  bool any_oversubscribed = false;
  bool any_disturbed = false;      // some point has only disturbed runs
  bool any_beyond_linear = false;  // some point is more efficient than possible
  bool all_single = true;          // every point was run only once, so it is unknown how runs differ
  ScaleAnswer answer;
  std::vector<AllReduceChoice> all_reduces;

  [[nodiscard]] const ScalePoint& at(const ScalePlace& place) const { return series[place.series].points[place.point]; }
};

// Also works for batch studies and imports; their points form several series if they differ in more than workers. What
// an imported log does not say is never treated as a value: a point of unknown size has no speed-up.
[[nodiscard]] ScaleAnalysis analyse_scaling(const StudyResults& results);

}  // namespace convoy::study
