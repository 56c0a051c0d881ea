#include "convoy/report/chart/heat_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "convoy/base/check.h"
#include "convoy/report/chart/axis.h"
#include "convoy/report/chart/axis_labels.h"
#include "convoy/report/chart/chart_style.h"
#include "convoy/report/chart/legend.h"
#include "convoy/report/chart/number_label.h"
#include "convoy/report/chart/plot.h"
#include "convoy/report/chart/svg.h"
#include "convoy/report/chart/text_width.h"

namespace convoy::report {
namespace {

constexpr double kWidestRowName = 170;
constexpr double kMapGap = 9;
constexpr double kLegendTop = 24;
constexpr std::string_view kStar = "★";

// The map's values, which may be NaN, and the text of each cell.
struct Cells {
  std::size_t columns = 0;
  std::vector<double> values;  // row by row
  std::vector<std::string> texts;
  Extent extent;
  std::size_t best = 0;  // index of the best value; past the end if there is none
};

std::vector<double> drawable_values(const HeatMap& map, Omitted& omitted) {
  CONVOY_CHECK_LE(map.values.size(), map.rows.size());
  const AxisScale scale = map.logarithmic ? AxisScale::log10 : AxisScale::linear;
  std::vector<double> values(map.rows.size() * map.columns.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t row = 0; row < map.values.size(); ++row) {
    CONVOY_CHECK_LE(map.values[row].size(), map.columns.size());
    for (std::size_t column = 0; column < map.values[row].size(); ++column) {
      const double value = map.values[row][column];
      if (is_drawable(value, scale)) {
        values[row * map.columns.size() + column] = value;
      } else if (!std::isnan(value)) {
        omitted.count(value);
      }
    }
  }
  return values;
}

std::vector<std::string> texts_of(const std::vector<double>& values, const Extent& extent, bool logarithmic) {
  if (extent.high > extent.low && !logarithmic) {
    // Differences of a hundredth of the values' range remain visible.
    return number_labels(values, std::pow(10.0, std::floor(std::log10(extent.high - extent.low)) - 2));
  }
  std::vector<std::string> texts;
  for (const double value : values) texts.push_back(number_label(value));
  return texts;
}

Cells cells_of(const HeatMap& map, Omitted& omitted) {
  Cells cells{.columns = map.columns.size(), .values = drawable_values(map, omitted)};
  cells.best = cells.values.size();
  for (std::size_t i = 0; i < cells.values.size(); ++i) {
    const double value = cells.values[i];
    if (std::isnan(value)) continue;
    const bool better = map.better == Better::higher ? value > cells.extent.high : value < cells.extent.low;
    if (cells.extent.empty() || better) cells.best = i;
    cells.extent.include(value);
  }
  cells.texts = texts_of(cells.values, cells.extent, map.logarithmic);
  return cells;
}

// The shade of a value; the middle one if all values are equal.
std::size_t shade_of(double value, const Extent& extent, bool logarithmic) {
  if (extent.low == extent.high) return kShades / 2;
  const Scale scale(logarithmic ? AxisScale::log10 : AxisScale::linear, extent.low, extent.high);
  const double place = std::floor(scale.fraction(value) * static_cast<double>(kShades));
  return static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(kShades - 1)));
}

struct Layout {
  double left = 0;
  double top = 0;
  double width = 0;  // of a cell
  double height = 30;

  [[nodiscard]] Box cell(std::size_t row, std::size_t column) const {
    return {left + width * static_cast<double>(column), top + height * static_cast<double>(row), width, height};
  }
};

Layout layout_of(const HeatMap& map, double top) {
  constexpr double kWidestCell = 104;
  Layout layout{.top = top};
  for (const std::string& name : map.rows) layout.left = std::max(layout.left, text_width(name));
  layout.left = std::min(layout.left, kWidestRowName) + kMapGap;
  layout.width = std::min(kWidestCell, (kPictureWidth - layout.left - 2) / static_cast<double>(map.columns.size()));
  return layout;
}

std::string draw_cell(const HeatMap& map, const Cells& cells, const Layout& layout, std::size_t place,
                      std::string_view id) {
  const std::size_t row = place / cells.columns;
  const std::size_t column = place % cells.columns;
  const Box box = layout.cell(row, column);
  const std::string where =
      fmt::format("{} {}, {} {}", map.row_title, map.rows[row], map.column_title, map.columns[column]);
  if (std::isnan(cells.values[place])) return svg_rect(box, missing_hatch(id), where + ": missing");
  const std::size_t shade = shade_of(cells.values[place], cells.extent, map.logarithmic);
  const bool best = place == cells.best;
  std::string elements = svg_rect(box, fmt::format("cell h{}", shade), where + ": " + cells.texts[place]);
  std::string text = (best ? std::string(kStar) + ' ' : "") + cells.texts[place];
  if (best && text_width(text) > layout.width - 4) text = kStar;
  if (text_width(text) > layout.width - 4) return elements;
  return elements + svg_text(box.x + box.width / 2, box.y + box.height / 2 + 4.5, text,
                             {.anchor = Anchor::middle, .classes = shade < kFirstDeepShade ? "on-pale" : "on-deep"});
}

std::string draw_cells(const HeatMap& map, const Cells& cells, const Layout& layout, std::string_view id) {
  std::string elements = missing_hatch_definition(id);
  for (std::size_t place = 0; place < cells.values.size(); ++place) {
    elements += draw_cell(map, cells, layout, place, id);
  }
  for (std::size_t row = 0; row < map.rows.size(); ++row) {
    elements += svg_text(layout.left - kMapGap, layout.cell(row, 0).y + layout.height / 2 + 4.5,
                         shortened(map.rows[row], kWidestRowName),
                         {.anchor = Anchor::end, .classes = "tick", .full_text = map.rows[row]});
  }
  // Drawn last, so that no neighbour covers the frame.
  const Box best = layout.cell(cells.best / cells.columns, cells.best % cells.columns);
  return elements + svg_rect({best.x + 1, best.y + 1, best.width - 2, best.height - 2}, "best");
}

// The lowest value, all shades, the highest value.
LegendEntry shades_entry(const Extent& extent) {
  constexpr double kStep = 14;
  const std::string low = number_label(extent.low);
  double x = text_width(low) + 7;
  LegendEntry entry{.swatch = svg_text(0, 4.5, low), .name = number_label(extent.high)};
  for (std::size_t shade = 0; shade < kShades; ++shade) {
    entry.swatch += svg_rect({.x = x, .y = -7, .width = kStep, .height = 14}, fmt::format("h{}", shade));
    x += kStep;
  }
  entry.swatch_width = x;
  return entry;
}

std::vector<LegendEntry> legend_of(const HeatMap& map, const Cells& cells, std::string_view id) {
  const Box swatch{.x = 6, .y = -7, .width = 14, .height = 14};
  std::vector<LegendEntry> entries;
  if (cells.extent.low < cells.extent.high) entries.push_back(shades_entry(cells.extent));
  entries.push_back({.swatch = svg_rect({7, -6, 12, 12}, "best"),
                     .name = fmt::format("{} best ({})", kStar, map.better == Better::higher ? "highest" : "lowest")});
  if (std::ranges::any_of(cells.values, [](double value) { return std::isnan(value); })) {
    entries.push_back({.swatch = svg_rect(swatch, missing_hatch(id)), .name = "missing"});
  }
  return entries;
}

}  // namespace

Picture draw(const HeatMap& map, std::string_view id) {
  Omitted omitted;
  const Cells cells = cells_of(map, omitted);
  if (cells.extent.empty()) return no_data(omitted.notes());
  const Drawn legend = draw_legend(legend_of(map, cells, id), kPictureWidth);
  const double title = kLegendTop + legend.height + 20;
  const Layout layout = layout_of(map, title + 10);
  std::string elements = svg_text(0, 13, map.value_title, {.classes = "axis-title"});
  elements += fmt::format("<g transform=\"translate(0 {})\">\n{}</g>\n", px(kLegendTop), legend.elements);
  elements += svg_text(0, title, map.row_title, {.classes = "axis-title"});
  elements += draw_cells(map, cells, layout, id);
  const double bottom = layout.top + layout.height * static_cast<double>(map.rows.size());
  const double width = layout.width * static_cast<double>(cells.columns);
  std::vector<PlacedLabel> names;
  for (std::size_t i = 0; i < cells.columns; ++i) {
    names.push_back({layout.left + layout.width * (static_cast<double>(i) + 0.5), map.columns[i]});
  }
  const Drawn labels = draw_axis_labels(names, Crowded::turn, 0);
  elements += fmt::format("<g transform=\"translate(0 {})\">\n{}</g>\n", px(bottom + 6), labels.elements);
  const double end = bottom + 6 + labels.height + 18;
  elements +=
      svg_text(layout.left + width / 2, end, map.column_title, {.anchor = Anchor::middle, .classes = "axis-title"});
  const Drawn remarks = draw_notes(omitted.notes(), end + 6);
  return {.width = kPictureWidth, .height = end + 6 + remarks.height, .elements = elements + remarks.elements};
}

}  // namespace convoy::report
