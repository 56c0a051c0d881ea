#include "convoy/report/chart/legend.h"

#include <fmt/format.h>

#include <algorithm>

#include "convoy/report/chart/chart_style.h"
#include "convoy/report/chart/svg.h"
#include "convoy/report/chart/text_width.h"

namespace convoy::report {
namespace {

constexpr double kRowHeight = 22;
constexpr double kGapToName = 7;
constexpr double kGapToNext = 20;
constexpr Box kSwatchBar = {.x = 6, .y = -7, .width = 14, .height = 14};

}  // namespace

Drawn draw_legend(const std::vector<LegendEntry>& entries, double width) {
  if (entries.empty()) return {};
  std::string elements;
  double x = 0;
  double y = kRowHeight / 2;
  for (const LegendEntry& entry : entries) {
    const double name_at = entry.swatch_width + kGapToName;
    const std::string name = shortened(entry.name, width - name_at);
    const double taken = name_at + text_width(name);
    if (x > 0 && x + taken > width) {
      x = 0;
      y += kRowHeight;
    }
    elements += fmt::format("<g transform=\"translate({} {})\">\n{}{}</g>\n", px(x), px(y), entry.swatch,
                            svg_text(name_at, 4.5, name, {.full_text = entry.name}));
    x += taken + kGapToNext;
  }
  return {.elements = elements, .height = y + kRowHeight / 2};
}

LegendEntry line_entry(std::size_t series, const std::string& name) {
  return {.swatch = svg_line(0, 0, kSwatchWidth, 0, "line " + line_class(series)) +
                    svg_path_at(kSwatchWidth / 2, 0, mark_path(series), mark_classes(series, false)),
          .name = name};
}

LegendEntry dashed_entry(const std::string& line_class, const std::string& name) {
  return {.swatch = svg_line(0, 0, kSwatchWidth, 0, "line dashed " + line_class), .name = name};
}

LegendEntry bar_entry(std::string_view id, std::size_t series, const std::string& name) {
  const std::string pattern = hatch(id, series);
  return {.swatch = svg_rect(kSwatchBar, fill_class(series)) + (pattern.empty() ? "" : svg_rect(kSwatchBar, pattern)),
          .name = name};
}

LegendEntry hollow_mark_entry(const std::string& name) {
  return {.swatch = svg_path_at(kSwatchWidth / 2, 0, mark_path(0), "mark hollow neutral"), .name = name};
}

LegendEntry hollow_bar_entry(const std::string& name) {
  return {.swatch = svg_rect(kSwatchBar, "hollow-bar neutral"), .name = name};
}

}  // namespace convoy::report
