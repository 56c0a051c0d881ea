// Lines and points over a number, for example throughput over workers or loss over time.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "convoy/report/chart/axis.h"
#include "convoy/report/chart/svg.h"

namespace convoy::report {

struct Point {
  double x = 0;
  double y = 0;
  std::optional<double> low;  // ends of the interval around y, drawn as a bar, or as a band if there are many points
  std::optional<double> high;
  bool hollow = false;  // a doubtful point
};

struct Series {
  std::string name;
  std::vector<Point> points;  // in any order; drawn in ascending order of x
  bool dashed = false;        // computed instead of measured, such as an ideal or a fit: grey, without marks
  std::optional<std::size_t> fit_of = {};  // a dashed line in the colour of that series of the chart
  // Measured too and related to that earlier series of the chart: drawn with its colour and marks but a broken line,
  // such as training beside test.
  std::optional<std::size_t> paired_with = {};
};

struct LineChart {
  Axis x;
  Axis y;
  std::vector<Series> series;
  std::string hollow_means = {};  // for the legend: "more ranks than cores"
};

// Values that are not finite, or not positive on a logarithmic axis, interrupt the line and are counted below the
// chart. `id` makes names inside the picture unique in a page.
[[nodiscard]] Picture draw(const LineChart& chart, std::string_view id);

}  // namespace convoy::report
