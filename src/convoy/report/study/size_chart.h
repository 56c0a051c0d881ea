// Charts over workers (or threads), a line for each series of a scaling study.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "convoy/report/chart/line_chart.h"
#include "convoy/study/analysis/scale_analysis.h"

namespace convoy::report {

// What is drawn of a point; nothing where it was not measured. `x` and `hollow` are filled in.
using Measure = std::function<std::optional<Point>(const study::ScalePoint&)>;

// The line of series i of the analysis is series i of the chart, perhaps without points.
[[nodiscard]] LineChart size_chart(const study::ScaleAnalysis& analysis, Axis y, const Measure& measure);

[[nodiscard]] bool has_points(const LineChart& chart);

// Removes the lines that have no point, and keeps what computed ones refer to.
void drop_empty_series(LineChart& chart);

// The smallest and the largest size that the chart shows; it has points.
struct SizeRange {
  double first = 0;
  double last = 0;
};
[[nodiscard]] SizeRange size_range(const LineChart& chart);

// A dashed line over this range, both ends included.
[[nodiscard]] Series computed_line(SizeRange range, std::string name, const std::function<double(double)>& y);

}  // namespace convoy::report
