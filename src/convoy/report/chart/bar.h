// One bar of a chart: its value and how it is drawn, in whichever direction the bars run.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "convoy/report/chart/axis.h"
#include "convoy/report/chart/svg.h"

namespace convoy::report {

struct Bar {
  double value = std::numeric_limits<double>::quiet_NaN();  // NaN: nothing was measured
  std::optional<double> low = {};                           // ends of the interval around the value
  std::optional<double> high = {};
  bool hollow = false;  // a doubtful value
};

// NaN means that there is no bar; other values that cannot be drawn are counted in `omitted`. Ends of the interval that
// are not finite are dropped.
[[nodiscard]] Bar drawable_bar(Bar bar, Omitted& omitted);

// The extent of the values and, as far as include_ends allows, of the ends of their intervals.
[[nodiscard]] Extent extent_of(std::span<const Bar> bars, Omitted& omitted);

struct BarLook {
  std::string_view id;     // that of the picture
  std::size_t series = 0;  // decides its colour and hatching
  bool hollow = false;
};

[[nodiscard]] std::string draw_bar(const Box& box, const BarLook& look, std::string_view tip);

// "name: 12.3 (11.9 to 12.7), more ranks than cores"
[[nodiscard]] std::string bar_tip(const std::string& name, const Bar& bar, const std::string& hollow_means);

}  // namespace convoy::report
