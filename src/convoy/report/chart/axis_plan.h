// An axis ready to be drawn: its range and its ticks with their labels.
#pragma once

#include <string>
#include <vector>

#include "convoy/report/chart/axis.h"
#include "convoy/report/chart/scale.h"

namespace convoy::report {

struct Tick {
  double value = 0;
  std::string label;
};

struct AxisPlan {
  Scale scale;
  std::vector<Tick> ticks;
};

struct AxisNeeds {
  Extent values;               // of what is drawn; not empty unless the axis is categorical
  bool whole_numbers = false;  // no ticks between integers
  bool round_ends = false;     // a linear axis begins and ends at a tick
  int max_ticks = 6;
};

[[nodiscard]] AxisPlan plan_axis(const Axis& axis, const AxisNeeds& needs);

// Is the position one of the axis: a drawable value, or a whole number that has a name on a categorical axis?
[[nodiscard]] bool is_on_axis(double value, const Axis& axis);

}  // namespace convoy::report
