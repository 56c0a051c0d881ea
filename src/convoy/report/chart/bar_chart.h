// Charts of bars: vertical ones in groups, and bars cut into shares.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "convoy/report/chart/bar.h"
#include "convoy/report/chart/svg.h"

namespace convoy::report {

// One group per case, one bar in it per series.
struct BarSeries {
  std::string name;
  std::vector<Bar> bars;  // one for each group; missing ones at the end are as good as NaN
};

struct BarChart {
  std::string group_title;  // what the groups are: "workers"
  std::string value_title;  // with the unit. The axis is linear and from zero: the length of a bar is its value.
  std::vector<std::string> groups;
  std::vector<BarSeries> series;
  std::string hollow_means = {};  // for the legend: "more ranks than cores"
};

// Values that are infinite are counted below the chart. `id` makes names inside the picture unique in a page.
[[nodiscard]] Picture draw(const BarChart& chart, std::string_view id);

// Bars of equal length cut into shares: where the time of a step goes, for each number of workers.
struct Stack {
  std::string name;
  std::vector<double> amounts;  // one for each part, in any unit, none negative
};

struct StackedBarChart {
  std::string stack_title;  // what the bars are: "workers"
  std::string share_title;  // what is shared out: "share of step time (%)"
  std::vector<std::string> parts;
  std::vector<Stack> stacks;
};

// A stack with an amount that is missing, negative or no number, or whose amounts are all zero, is left empty and
// counted below the chart.
[[nodiscard]] Picture draw(const StackedBarChart& chart, std::string_view id);

}  // namespace convoy::report
