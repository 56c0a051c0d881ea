// Vertical bars in groups: one group per case, one bar in it per series.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "convoy/report/axis.h"
#include "convoy/report/picture.h"

namespace convoy::report {

struct Bar {
  double value = std::numeric_limits<double>::quiet_NaN();  // NaN: nothing was measured
  std::optional<double> low = {};                           // ends of the interval around the value
  std::optional<double> high = {};
  bool hollow = false;  // a value to take with care
};

struct BarSeries {
  std::string name;
  std::vector<Bar> bars;  // one for each group; missing ones at the end are as good as NaN
};

struct BarChart {
  std::string group_title;  // what the groups are: "workers"
  std::vector<std::string> groups;
  Axis value;  // linear and from zero whatever it says: the length of a bar is its value
  std::vector<BarSeries> series;
  std::string hollow_means = {};
};

[[nodiscard]] Picture draw(const BarChart& chart, std::string_view id);

}  // namespace convoy::report
