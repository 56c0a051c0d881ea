#include "convoy/report/chart/stacked_bar_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "convoy/base/check.h"
#include "convoy/report/chart/bar.h"
#include "convoy/report/chart/plot.h"
#include "convoy/report/chart/series_style.h"
#include "convoy/report/chart/svg.h"
#include "convoy/report/chart/text_width.h"

namespace convoy::report {
namespace {

// In percent, one for each part; none where the amounts make no whole.
std::vector<double> shares_of(const Stack& stack, std::size_t parts) {
  if (stack.amounts.size() != parts) return {};
  const bool usable = std::ranges::all_of(
      stack.amounts, [](double amount) { return is_drawable(amount, AxisScale::linear) && amount >= 0; });
  // Of the largest first: a sum of very large amounts would overflow.
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

// One bar from the bottom up.
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
    // A plate behind the number, as hatching would run through it.
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
