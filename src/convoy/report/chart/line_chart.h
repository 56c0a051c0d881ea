// Lines and points over a number: throughput over workers, loss over time.
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
  std::optional<double> low;  // ends of the interval around y, drawn as a bar, or as a band where points are many
  std::optional<double> high;
  bool hollow = false;  // a point to take with care
};

struct Series {
  std::string name;
  std::vector<Point> points;               // in any order; drawn by rising x
  bool dashed = false;                     // computed and not measured, such as an ideal or a fit: no marks, grey
  std::optional<std::size_t> fit_of = {};  // a dashed line in the colour of that series of the chart
  // Measured too, and belongs to that earlier series of the chart: its colour and marks with a broken line, such as
  // training beside test.
  std::optional<std::size_t> paired_with = {};
};

struct LineChart {
  Axis x;
  Axis y;
  std::vector<Series> series;
  std::string hollow_means = {};  // for the legend: "more ranks than cores"
};

// Values that are no numbers, or not positive on a logarithmic axis, break the line and are counted below the chart.
// `id` makes names inside the picture unique in a page.
[[nodiscard]] Picture draw(const LineChart& chart, std::string_view id);

}  // namespace convoy::report
