// Bar charts: vertical bars in groups, and bars that are divided into shares.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "convoy/report/chart/bar.h"
#include "convoy/report/chart/svg.h"

namespace convoy::report {

// One group per case, and in it one bar per series.
struct BarSeries {
  std::string name;
  std::vector<Bar> bars;  // one for each group; those missing at the end count as NaN
};

struct BarChart {
  std::string group_title;  // what the groups stand for: "workers"
  // Including the unit. The axis is linear and starts at zero: the length of a bar is its value.
  std::string value_title;
  std::vector<std::string> groups;
  std::vector<BarSeries> series;
  std::string hollow_means = {};  // for the legend: "more ranks than cores"
};

// Infinite values are counted below the chart. `id` makes names inside the picture unique in a page.
[[nodiscard]] Picture draw(const BarChart& chart, std::string_view id);

// Bars of equal length that are divided into shares, for example of the time of a step, for each number of workers.
struct Stack {
  std::string name;
  std::vector<double> amounts;  // one for each part, in any unit; none negative
};

struct StackedBarChart {
  std::string stack_title;  // what the bars stand for: "workers"
  std::string share_title;  // what the shares are of: "share of step time (%)"
  std::vector<std::string> parts;
  std::vector<Stack> stacks;
};

// A stack with an amount that is missing, negative or not finite, or with only zeros, is left empty and counted below
// the chart.
[[nodiscard]] Picture draw(const StackedBarChart& chart, std::string_view id);

}  // namespace convoy::report
