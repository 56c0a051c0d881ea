// The labels under an axis: side by side where they fit, turned or thinned out where they do not.
#pragma once

#include <string>
#include <vector>

#include "convoy/report/chart/legend.h"

namespace convoy::report {

struct PlacedLabel {
  double x = 0;
  std::string text;
};

enum class Crowded {
  thin_out,  // numbers: those left out can be told from those that stay
  turn,      // names: each matters
};

// Labels in rising order of x, below y = 0, no further left than `least_x`.
[[nodiscard]] Drawn draw_axis_labels(const std::vector<PlacedLabel>& labels, Crowded crowded, double least_x);

}  // namespace convoy::report
