#include "convoy/report/chart/bar_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "convoy/base/check.h"
#include "convoy/report/chart/bar.h"
#include "convoy/report/chart/chart_style.h"
#include "convoy/report/chart/number_label.h"
#include "convoy/report/chart/plot.h"
#include "convoy/report/chart/svg.h"
#include "convoy/report/chart/text_width.h"

namespace convoy::report {
namespace {

// bars[series][group]; NaN where there is none.
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

Extent extent_of(const Grid& grid, Omitted& omitted) {
  std::vector<Bar> bars;
  for (const auto& row : grid) bars.insert(bars.end(), row.begin(), row.end());
  return extent_of(bars, omitted);
}

// Leaves room for the numbers above the bars.
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

// The places of the bars of a group: `first` is the left edge of the first one, relative to the middle of the group.
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
  // Only if it is not wider than its bar.
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
  const Extent extent = extent_of(grid, omitted);
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

namespace {

// The percentage of each part; empty if the amounts do not form a whole.
std::vector<double> shares_of(const Stack& stack, std::size_t parts) {
  if (stack.amounts.size() != parts) return {};
  const bool usable = std::ranges::all_of(
      stack.amounts, [](double amount) { return is_drawable(amount, AxisScale::linear) && amount >= 0; });
  // Relative to the largest, because a sum of very large amounts would overflow.
  const double largest = usable && parts > 0 ? std::ranges::max(stack.amounts) : 0;
  if (largest <= 0) return {};
  std::vector<double> shares;
  for (const double amount : stack.amounts) shares.push_back(amount / largest);
  const double whole = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share *= 100 / whole;
  return shares;
}

std::vector<std::string> notes_on(std::size_t empty) {
  if (empty == 0) return {};
  return {empty == 1 ? "1 bar is left out: its parts make no whole."
                     : fmt::format("{} bars are left out: their parts make no whole.", empty)};
}

std::string percent(double share) { return fmt::format("{:.{}f} %", share, share < 9.95 ? 1 : 0); }

// Draws one bar from the bottom up.
std::string draw_stack(const StackedBarChart& chart, std::string_view id, const Plot& plot, std::size_t index,
                       const std::vector<double>& shares) {
  constexpr double kWidest = 84;
  const double room = plot.width() / static_cast<double>(chart.stacks.size());
  const double width = std::min(room * 0.76, kWidest);
  const double x = plot.x(static_cast<double>(index)) - width / 2;
  std::string elements;
  double below = 0;
  for (std::size_t part = 0; part < shares.size(); ++part) {
    const double top = plot.y(below + shares[part]);
    const Box box{.x = x, .y = top, .width = width, .height = plot.y(below) - top};
    below += shares[part];
    if (box.height < 0.05) continue;
    const std::string text = percent(shares[part]);
    elements += draw_bar(box, {.id = id, .series = part},
                         fmt::format("{}, {}: {}", chart.stacks[index].name, chart.parts[part], text));
    if (box.height < 18 || text_width(text) + 10 > width) continue;
    const double label = text_width(text) + 6;
    // A plate behind the number, because hatching would run through it.
    elements +=
        svg_rect({.x = x + (width - label) / 2, .y = top + box.height / 2 - 8, .width = label, .height = 16}, "plate");
    elements +=
        svg_text(x + width / 2, top + box.height / 2 + 4.5, text, {.anchor = Anchor::middle, .classes = "value"});
  }
  return elements;
}

}  // namespace

Picture draw(const StackedBarChart& chart, std::string_view id) {
  std::vector<std::string> names;
  std::vector<std::vector<double>> shares;
  std::size_t empty = 0;
  for (const Stack& stack : chart.stacks) {
    names.push_back(stack.name);
    shares.push_back(shares_of(stack, chart.parts.size()));
    empty += shares.back().empty() ? 1 : 0;
  }
  if (empty == shares.size()) return no_data(notes_on(empty));
  std::vector<LegendEntry> legend;
  for (const std::string& part : chart.parts) legend.push_back(bar_entry(id, legend.size(), part));
  const Plot plot({.x_title = chart.stack_title,
                   .y_title = chart.share_title,
                   .x = plan_axis({.scale = AxisScale::categorical, .categories = names}, {}),
                   .y = plan_axis({}, {.values = {0, 100}, .max_ticks = 5}),
                   .legend = legend,
                   .crowded_x = Crowded::turn});
  std::string bars = hatch_definitions(id, chart.parts.size());
  for (std::size_t i = 0; i < shares.size(); ++i) bars += draw_stack(chart, id, plot, i, shares[i]);
  return plot.picture(bars, notes_on(empty));
}

}  // namespace convoy::report
