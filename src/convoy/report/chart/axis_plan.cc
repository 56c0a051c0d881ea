#include "convoy/report/chart/axis_plan.h"

#include <algorithm>
#include <cmath>

#include "convoy/base/check.h"
#include "convoy/report/chart/number_label.h"
#include "convoy/report/chart/ticks.h"

namespace convoy::report {
namespace {

std::vector<Tick> labelled(const std::vector<double>& values, double resolution) {
  const std::vector<std::string> labels = number_labels(values, resolution);
  std::vector<Tick> ticks;
  ticks.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) ticks.push_back({values[i], labels[i]});
  return ticks;
}

AxisPlan categorical(const std::vector<std::string>& names) {
  AxisPlan plan{.scale = Scale(AxisScale::categorical, -0.5, static_cast<double>(names.size()) - 0.5)};
  for (const std::string& name : names) plan.ticks.push_back({static_cast<double>(plan.ticks.size()), name});
  return plan;
}

AxisPlan logarithmic(AxisScale kind, Extent extent, int max_ticks) {
  extent = widened(extent, kind);
  AxisPlan plan{.scale = Scale(kind, extent.low, extent.high)};
  for (const double value : log_ticks(kind == AxisScale::log2 ? 2 : 10, extent.low, extent.high, max_ticks)) {
    plan.ticks.push_back({value, number_label(value)});
  }
  return plan;
}

AxisPlan linear(const Axis& axis, const AxisNeeds& needs) {
  Extent extent = needs.values;
  if (axis.from_zero) extent.include(0);
  extent = widened(extent, AxisScale::linear);
  double step = nice_step(extent.high - extent.low, needs.max_ticks);
  if (needs.whole_numbers) step = std::max(step, 1.0);
  if (needs.round_ends) {
    // A bound that is a tick but for rounding stays one.
    extent.low = std::floor(extent.low / step + 1e-9) * step;
    extent.high = std::ceil(extent.high / step - 1e-9) * step;
  }
  return {.scale = Scale(AxisScale::linear, extent.low, extent.high),
          .ticks = labelled(multiples_in(extent.low, extent.high, step), step)};
}

}  // namespace

AxisPlan plan_axis(const Axis& axis, const AxisNeeds& needs) {
  if (axis.scale == AxisScale::categorical) {
    CONVOY_CHECK(!axis.categories.empty());
    return categorical(axis.categories);
  }
  CONVOY_CHECK(!needs.values.empty());
  return axis.scale == AxisScale::linear ? linear(axis, needs) : logarithmic(axis.scale, needs.values, needs.max_ticks);
}

bool is_on_axis(double value, const Axis& axis) {
  if (!is_drawable(value, axis.scale)) return false;
  const auto count = static_cast<double>(axis.categories.size());
  return axis.scale != AxisScale::categorical || (value >= 0 && value < count && std::floor(value) == value);
}

}  // namespace convoy::report
