// Explains the colours, marks and hatchings of a chart, in as many rows as needed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace convoy::report {

inline constexpr double kSwatchWidth = 26;

struct LegendEntry {
  std::string swatch;  // SVG elements from x = 0 on, centred vertically at 0
  std::string name;
  double swatch_width = kSwatchWidth;
};

// SVG elements from y = 0 downwards, and their height.
struct Drawn {
  std::string elements;
  double height = 0;
};

[[nodiscard]] Drawn draw_legend(const std::vector<LegendEntry>& entries, double width);

[[nodiscard]] LegendEntry line_entry(std::size_t series, const std::string& name);
[[nodiscard]] LegendEntry dashed_entry(const std::string& line_class, const std::string& name);
[[nodiscard]] LegendEntry bar_entry(std::string_view id, std::size_t series, const std::string& name);
[[nodiscard]] LegendEntry hollow_mark_entry(const std::string& name);
[[nodiscard]] LegendEntry hollow_bar_entry(const std::string& name);

}  // namespace convoy::report
