// The labels under an axis: side by side if they fit, otherwise rotated or thinned out.
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
  thin_out,  // for numbers: those left out can be guessed from the others
  turn,      // for names: each of them matters
};

// How far each label reaches to the left of its place if they have to be turned; empty if they do not.
[[nodiscard]] std::vector<double> turned_reaches(const std::vector<PlacedLabel>& labels);

// Draws labels in ascending order of x, below y = 0 and not further left than `least_x`.
[[nodiscard]] Drawn draw_axis_labels(const std::vector<PlacedLabel>& labels, Crowded crowded, double least_x);

}  // namespace convoy::report
