// Means as marks of a chart, with their 95 % interval where there is one.
#pragma once

#include <limits>

#include "convoy/base/statistics.h"
#include "convoy/report/chart/bar.h"
#include "convoy/report/chart/line_chart.h"

namespace convoy::report {

// How a mean is drawn. Intervals are cut at what is possible: two noisy runs would otherwise allow accuracies of 160 %.
struct MarkStyle {
  bool hollow = false;                                    // to be taken with care
  double scale = 1;                                       // multiplied to the values
  double most = std::numeric_limits<double>::infinity();  // possible, in the unit that is drawn; the least is 0
};

[[nodiscard]] Point summary_point(double x, const Summary& summary, const MarkStyle& style = {});
[[nodiscard]] Bar summary_bar(const Summary& summary, const MarkStyle& style = {});

}  // namespace convoy::report
