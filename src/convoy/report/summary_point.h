// Means as marks of a chart, with their 95 % interval where there is one.
#pragma once

#include "convoy/base/statistics.h"
#include "convoy/report/bar.h"
#include "convoy/report/line_chart.h"

namespace convoy::report {

// `scale` is multiplied to the values; a hollow mark is one to take with care.
[[nodiscard]] Point summary_point(double x, const Summary& summary, bool hollow = false, double scale = 1);
[[nodiscard]] Bar summary_bar(const Summary& summary, bool hollow = false, double scale = 1);

}  // namespace convoy::report
