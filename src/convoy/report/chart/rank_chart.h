// Horizontal bars with the best on top, for example kernels by time or settings by throughput.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "convoy/report/chart/axis.h"
#include "convoy/report/chart/bar.h"
#include "convoy/report/chart/svg.h"

namespace convoy::report {

struct RankedBar {
  std::string name;
  Bar bar;
  std::string without_value = "no data";  // stands in place of a bar that has no value
};

struct RankChart {
  std::string value_title;      // including the unit
  std::vector<RankedBar> bars;  // in any order; those without a value come last
  Better better = Better::higher;
  std::string hollow_means = {};
};

// With more than forty bars the worst are left out, and the chart says so.
[[nodiscard]] Picture draw(const RankChart& chart, std::string_view id);

}  // namespace convoy::report
