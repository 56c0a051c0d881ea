// Vertical bars in groups: one group per case, one bar in it per series.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "convoy/report/chart/bar.h"
#include "convoy/report/chart/picture.h"

namespace convoy::report {

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

}  // namespace convoy::report
