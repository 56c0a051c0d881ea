#include "convoy/report/chart/rank_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

constexpr double kRankHeight = 26;
constexpr double kBarHeight = 16;
constexpr double kWidestName = 330;
constexpr double kRankGap = 8;
constexpr std::size_t kMostBars = 40;

std::vector<RankedBar> ranked(const RankChart& chart, Omitted& omitted) {
  std::vector<RankedBar> bars = chart.bars;
  for (RankedBar& ranked : bars) ranked.bar = drawable_bar(ranked.bar, omitted);
  std::ranges::stable_sort(bars, [&](const RankedBar& a, const RankedBar& b) {
    if (std::isnan(a.bar.value) || std::isnan(b.bar.value)) return !std::isnan(a.bar.value) && std::isnan(b.bar.value);
    return chart.better == Better::higher ? a.bar.value > b.bar.value : a.bar.value < b.bar.value;
  });
  return bars;
}

// A bar, and as much of its name as distinguishes it from the others.
struct LabelledBar {
  RankedBar ranked;
  std::string label;
};

std::vector<LabelledBar> labelled(const std::vector<RankedBar>& bars) {
  std::vector<std::string> names;
  for (const RankedBar& bar : bars) names.push_back(bar.name);
  const std::vector<std::string> labels = told_apart(names);
  std::vector<LabelledBar> result;
  for (std::size_t i = 0; i < bars.size(); ++i) result.push_back({bars[i], labels[i]});
  return result;
}

// The places of names, bars and numbers.
class Rows {
 public:
  Rows(const std::vector<LabelledBar>& bars, AxisPlan axis, double top) : axis_(std::move(axis)), top_(top) {
    double widest_number = 0;
    for (const LabelledBar& bar : bars) {
      left_ = std::max(left_, std::min(text_width(bar.label), kWidestName) + kRankGap);
      widest_number = std::max(widest_number, text_width(number_label(bar.ranked.bar.value)));
    }
    right_ = kPictureWidth - widest_number - kRankGap - 4;
    bottom_ = top + kRankHeight * static_cast<double>(bars.size());
  }

  [[nodiscard]] double x(double value) const { return left_ + axis_.scale.fraction(value) * (right_ - left_); }
  [[nodiscard]] double middle(std::size_t row) const { return top_ + kRankHeight * (static_cast<double>(row) + 0.5); }
  [[nodiscard]] double left() const { return left_; }
  [[nodiscard]] double right() const { return right_; }
  [[nodiscard]] double bottom() const { return bottom_; }

  [[nodiscard]] std::string grid() const {
    std::string elements;
    for (const Tick& tick : axis_.ticks) {
      elements += svg_line(x(tick.value), top_, x(tick.value), bottom_, tick.value == 0 ? "axis" : "grid");
    }
    return elements;
  }

  [[nodiscard]] Drawn labels() const {
    std::vector<PlacedLabel> labels;
    for (const Tick& tick : axis_.ticks) labels.push_back({x(tick.value), tick.label});
    Drawn drawn = draw_axis_labels(labels, Crowded::thin_out, 0);
    drawn.elements = fmt::format("<g transform=\"translate(0 {})\">\n{}</g>\n", px(bottom_ + 4), drawn.elements);
    drawn.height += 4;
    return drawn;
  }

 private:
  AxisPlan axis_;
  double left_ = 40, right_ = 0, top_, bottom_ = 0;
};

std::string draw_row(const Rows& rows, std::size_t row, const LabelledBar& labelled, const RankChart& chart,
                     std::string_view id) {
  const RankedBar& ranked = labelled.ranked;
  const Bar& bar = ranked.bar;
  const double y = rows.middle(row);
  std::string elements = svg_text(rows.left() - kRankGap, y + 4.5, shortened(labelled.label, kWidestName),
                                  {.anchor = Anchor::end, .full_text = ranked.name});
  if (std::isnan(bar.value))
    return elements + svg_text(rows.x(0) + kRankGap, y + 4.5, ranked.without_value, {.classes = "note"});
  const double zero = rows.x(0);
  const double end = rows.x(bar.value);
  const Box box{.x = std::min(zero, end), .y = y - kBarHeight / 2, .width = std::abs(end - zero), .height = kBarHeight};
  elements += draw_bar(box, {.id = id, .hollow = bar.hollow}, bar_tip(ranked.name, bar, chart.hollow_means));
  double tail = std::max(zero, end);
  if (bar.low || bar.high) {
    const double high = rows.x(bar.high.value_or(bar.value));
    elements += svg_whisker(rows.x(bar.low.value_or(bar.value)), y, high, y, "ink");
    tail = std::max(tail, high);
  }
  return elements + svg_text(tail + kRankGap, y + 4.5, number_label(bar.value), {.classes = "value"});
}

std::vector<LegendEntry> legend_of(const RankChart& chart) {
  const bool hollow = std::ranges::any_of(chart.bars, [](const RankedBar& ranked) { return ranked.bar.hollow; });
  if (!hollow || chart.hollow_means.empty()) return {};
  return {hollow_bar_entry(chart.hollow_means)};
}

}  // namespace

Picture draw(const RankChart& chart, std::string_view id) {
  Omitted omitted;
  std::vector<RankedBar> bars = ranked(chart, omitted);
  const std::size_t all = bars.size();
  bars.resize(std::min(all, kMostBars));
  std::vector<Bar> values;
  for (const RankedBar& ranked : bars) values.push_back(ranked.bar);
  const Extent extent = extent_of(values, omitted);
  std::vector<std::string> notes = omitted.notes();
  if (all > kMostBars) notes.push_back(fmt::format("The first {} of {} are shown.", kMostBars, all));
  if (extent.empty()) return no_data(notes);
  const Drawn legend = draw_legend(legend_of(chart), kPictureWidth);
  const std::vector<LabelledBar> shown = labelled(bars);
  const Rows rows(shown, plan_axis({.from_zero = true}, {.values = extent}), legend.height + 4);
  std::string elements = legend.elements + rows.grid();
  for (std::size_t row = 0; row < shown.size(); ++row) elements += draw_row(rows, row, shown[row], chart, id);
  const Drawn labels = rows.labels();
  const double end = rows.bottom() + labels.height + 18;
  elements += labels.elements + svg_text((rows.left() + rows.right()) / 2, end, chart.value_title,
                                         {.anchor = Anchor::middle, .classes = "axis-title"});
  const Drawn remarks = draw_notes(notes, end + 6);
  return {.width = kPictureWidth, .height = end + 6 + remarks.height, .elements = elements + remarks.elements};
}

}  // namespace convoy::report
