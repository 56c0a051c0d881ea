// Bars of equal length cut into shares: where the time of a step goes, for each number of workers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "convoy/report/chart/picture.h"

namespace convoy::report {

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
