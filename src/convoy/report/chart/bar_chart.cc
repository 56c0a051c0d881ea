#include "convoy/report/chart/bar_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "convoy/base/check.h"
#include "convoy/report/chart/number_label.h"
#include "convoy/report/chart/plot.h"
#include "convoy/report/chart/series_style.h"
#include "convoy/report/chart/svg.h"
#include "convoy/report/chart/text_width.h"

namespace convoy::report {
namespace {

// bars[series][group], NaN where there is none.
using Grid = std::vector<std::vector<Bar>>;

Grid grid_of(const BarChart& chart, Omitted& omitted) {
  Grid grid;
  for (const BarSeries& series : chart.series) {
    CONVOY_CHECK_LE(series.bars.size(), chart.groups.size());
    auto& row = grid.emplace_back();
    for (const Bar& bar : series.bars) row.push_back(drawable_bar(bar, omitted));
    row.resize(chart.groups.size());
  }
  return grid;
}

Extent extent_of(const Grid& grid) {
  Extent extent;
  for (const auto& row : grid) {
    for (const Bar& bar : row) include(extent, bar);
  }
  return extent;
}

// Room for the numbers on top of the bars.
Extent with_headroom(Extent extent) {
  if (extent.high > 0) extent.high *= 1.06;
  return extent;
}

std::vector<LegendEntry> legend_of(const BarChart& chart, std::string_view id, const Grid& grid) {
  std::vector<LegendEntry> entries;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    if (!chart.series[i].name.empty()) entries.push_back(bar_entry(id, i, chart.series[i].name));
  }
  const bool hollow = std::ranges::any_of(grid, [](const auto& row) { return std::ranges::any_of(row, &Bar::hollow); });
  if (hollow && !chart.hollow_means.empty()) entries.push_back(hollow_bar_entry(chart.hollow_means));
  return entries;
}

// Where the bars of a group are: `first` is the left edge of the first one, from the middle of the group.
struct Spacing {
  double first = 0;
  double step = 0;
  double width = 0;
};

Spacing spacing_of(const Plot& plot, std::size_t groups, std::size_t series) {
  constexpr double kWidest = 64;
  const double room = plot.width() / static_cast<double>(groups) * 0.76;
  const double step = std::min(room / static_cast<double>(series), kWidest);
  const double gap = step > 8 ? 2 : 0;
  return {.first = -step * static_cast<double>(series) / 2, .step = step, .width = step - gap};
}

class BarDrawing {
 public:
  BarDrawing(const BarChart& chart, std::string_view id, const Plot& plot)
      : chart_(chart), id_(id), plot_(plot), spacing_(spacing_of(plot, chart.groups.size(), chart.series.size())) {}

  void add(const Bar& bar, std::size_t series, std::size_t group) {
    if (std::isnan(bar.value)) return;
    const double x = plot_.x(static_cast<double>(group)) + spacing_.first + spacing_.step * static_cast<double>(series);
    const double zero = plot_.y(0);
    const double end = plot_.y(bar.value);
    const Box box{.x = x, .y = std::min(zero, end), .width = spacing_.width, .height = std::abs(end - zero)};
    const std::string& name = chart_.series[series].name;
    const std::string tip =
        bar_tip(name.empty() ? chart_.groups[group] : name + ", " + chart_.groups[group], bar, chart_.hollow_means);
    bars_ += draw_bar(box, {.id = id_, .series = series, .hollow = bar.hollow}, tip);
    const double middle = x + spacing_.width / 2;
    const double low = plot_.y(bar.low.value_or(bar.value));
    const double high = plot_.y(bar.high.value_or(bar.value));
    if (bar.low || bar.high) whiskers_ += svg_whisker(middle, low, middle, high, "ink");
    add_number(bar.value, middle, std::min(high, zero));
  }

  [[nodiscard]] std::string elements() const {
    return bars_ + svg_line(plot_.left(), plot_.y(0), plot_.left() + plot_.width(), plot_.y(0), "axis") + whiskers_ +
           numbers_;
  }

 private:
  // Only where it is no wider than its bar.
  void add_number(double value, double middle, double above) {
    const std::string text = number_label(value);
    if (text_width(text) > spacing_.step) return;
    numbers_ += svg_text(middle, above - 5, text, {.anchor = Anchor::middle, .classes = "value"});
  }

  const BarChart& chart_;
  std::string_view id_;
  const Plot& plot_;
  Spacing spacing_;
  std::string bars_, whiskers_, numbers_;
};

}  // namespace

Picture draw(const BarChart& chart, std::string_view id) {
  Omitted omitted;
  const Grid grid = grid_of(chart, omitted);
  const Extent extent = extent_of(grid);
  if (extent.empty()) return no_data(omitted.notes());
  const Axis values{.title = chart.value_title, .from_zero = true};
  const Axis groups{.scale = AxisScale::categorical, .categories = chart.groups};
  const Plot plot({.x_title = chart.group_title,
                   .y_title = chart.value_title,
                   .x = plan_axis(groups, {}),
                   .y = plan_axis(values, {.values = with_headroom(extent), .round_ends = true}),
                   .legend = legend_of(chart, id, grid),
                   .crowded_x = Crowded::turn});
  BarDrawing drawing(chart, id, plot);
  for (std::size_t series = 0; series < grid.size(); ++series) {
    for (std::size_t group = 0; group < grid[series].size(); ++group) drawing.add(grid[series][group], series, group);
  }
  return plot.picture(hatch_definitions(id, grid.size()) + drawing.elements(), omitted.notes());
}

}  // namespace convoy::report
