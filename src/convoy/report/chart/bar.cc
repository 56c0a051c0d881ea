#include "convoy/report/chart/bar.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "convoy/report/chart/axis.h"
#include "convoy/report/chart/chart_style.h"
#include "convoy/report/chart/number_label.h"

namespace convoy::report {

Bar drawable_bar(Bar bar, Omitted& omitted) {
  if (std::isnan(bar.value)) return bar;
  if (!is_drawable(bar.value, AxisScale::linear)) {
    omitted.count(bar.value);
    return {};
  }
  for (std::optional<double>* end : {&bar.low, &bar.high}) {
    if (*end && !is_drawable(**end, AxisScale::linear)) end->reset();
  }
  return bar;
}

Extent extent_of(std::span<const Bar> bars, Omitted& omitted) {
  Extent extent;
  std::vector<double> ends;
  for (const Bar& bar : bars) {
    if (std::isnan(bar.value)) continue;
    extent.include(bar.value);
    ends.insert(ends.end(), {bar.low.value_or(bar.value), bar.high.value_or(bar.value)});
  }
  include_ends(extent, ends, AxisScale::linear, omitted);
  return extent;
}

std::string draw_bar(const Box& box, const BarLook& look, std::string_view tip) {
  if (look.hollow) return svg_rect(box, "hollow-bar " + line_class(look.series), tip);
  const std::string pattern = hatch(look.id, look.series);
  // The hatching covers the bar and gets the pointer, so both have the tip.
  return svg_rect(box, fill_class(look.series), tip) + (pattern.empty() ? "" : svg_rect(box, pattern, tip));
}

std::string bar_tip(const std::string& name, const Bar& bar, const std::string& hollow_means) {
  std::string tip = fmt::format("{}: {}", name, number_label(bar.value));
  if (bar.low && bar.high) tip += fmt::format(" ({} to {})", number_label(*bar.low), number_label(*bar.high));
  if (bar.hollow && !hollow_means.empty()) tip += ", " + hollow_means;
  return tip;
}

}  // namespace convoy::report
