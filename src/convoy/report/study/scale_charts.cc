#include "convoy/report/study/scale_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "convoy/report/chart/line_chart.h"
#include "convoy/report/figure.h"
#include "convoy/report/glossary.h"
#include "convoy/report/measured_values.h"
#include "convoy/report/study/scale_points.h"
#include "convoy/report/words.h"
#include "convoy/study/analysis/scale_analysis.h"

namespace convoy::report {
namespace {

// What is drawn of a point; nothing where it was not measured. `x` and `hollow` are filled in.
using Measure = std::function<std::optional<Point>(const study::ScalePoint&)>;

// The smallest and the largest size that the chart shows; it has points.
struct SizeRange {
  double first = 0;
  double last = 0;
};

// The line of series i of the analysis is series i of the chart, perhaps without points.
LineChart size_chart(const study::ScaleAnalysis& analysis, Axis y, const Measure& measure) {
  LineChart chart{.x = {.title = analysis.size_key, .scale = AxisScale::log2, .categories = {}},
                  .y = std::move(y),
                  .series = {},
                  .hollow_means = hollow_text(analysis)};
  for (const study::ScaleSeries& series : analysis.series) {
    Series& line = chart.series.emplace_back();
    line.name = series.name.empty() ? "measured" : series.name;
    for (const study::ScalePoint& point : series.points) {
      std::optional<Point> drawn = measure(point);
      if (!drawn || point.size == 0) continue;  // of unknown size: there is no place for it
      drawn->x = static_cast<double>(point.size);
      drawn->hollow = drawn->hollow || point.is_doubtful();
      line.points.push_back(*drawn);
    }
  }
  return chart;
}

bool has_points(const LineChart& chart) {
  return std::ranges::any_of(chart.series,
                             [](const Series& series) { return !series.dashed && !series.points.empty(); });
}

// Removes the lines that have no point, and keeps what computed ones refer to.
void drop_empty_series(LineChart& chart) {
  for (std::size_t i = chart.series.size(); i-- > 0;) {
    if (!chart.series[i].points.empty()) continue;
    chart.series.erase(chart.series.begin() + static_cast<std::ptrdiff_t>(i));
    for (Series& other : chart.series) {
      if (other.fit_of && *other.fit_of > i) --*other.fit_of;
    }
  }
}

SizeRange size_range(const LineChart& chart) {
  SizeRange range;
  for (const Series& series : chart.series) {
    for (const Point& point : series.points) {
      range.first = range.first == 0 ? point.x : std::min(range.first, point.x);
      range.last = std::max(range.last, point.x);
    }
  }
  return range;
}

// A dashed line over this range, both ends included.
Series computed_line(SizeRange range, std::string name, const std::function<double(double)>& y) {
  constexpr int kPieces = 32;  // a line that is straight in numbers is curved over doublings
  Series line{.name = std::move(name), .points = {}, .dashed = true};
  for (int i = 0; i <= kPieces; ++i) {
    const double x = range.first * std::pow(range.last / range.first, static_cast<double>(i) / kPieces);
    line.points.push_back({.x = x, .y = y(x), .low = {}, .high = {}});
  }
  return line;
}

using study::ScaleAnalysis;
using study::ScalePoint;
using study::ScaleSeries;

constexpr std::size_t kMostFits = 6;  // beyond that dashed lines hide what was measured

std::optional<Point> plain_point(std::optional<double> y, double scale = 1) {
  if (!y) return std::nullopt;
  return Point{.x = 0, .y = *y * scale, .low = {}, .high = {}};
}

// What cannot be is drawn as doubtful.
std::optional<Point> efficiency_point(const ScalePoint& point) {
  std::optional<Point> drawn = plain_point(point.efficiency, kPercent);
  if (drawn) drawn->hollow = point.beyond_linear;
  return drawn;
}

std::optional<Point> mean_point(const MaybeSummary& summary, double scale = 1) {
  return summary ? std::optional(summary_point(0, *summary, {.scale = scale})) : std::nullopt;
}

// Of the series that were measured.
std::set<std::int64_t> base_sizes(const ScaleAnalysis& analysis) {
  std::set<std::int64_t> sizes;
  for (const ScaleSeries& series : analysis.series) {
    if (series.base_size > 0) sizes.insert(series.base_size);
  }
  return sizes;
}

// Throughput per worker of the base, if all series have the same.
std::optional<double> common_base_rate(const ScaleAnalysis& analysis) {
  std::set<double> rates;
  for (const ScaleSeries& series : analysis.series) {
    for (const ScalePoint& point : series.points) {
      if (!series.is_base(point) || !point.statistics.throughput || point.is_disturbed()) continue;
      rates.insert(point.statistics.throughput->mean / static_cast<double>(point.size));
    }
  }
  return rates.size() == 1 ? std::optional(*rates.begin()) : std::nullopt;
}

// As far as they were fitted: no line into the range of oversubscribed points.
void add_fits(LineChart& chart, const ScaleAnalysis& analysis) {
  for (std::size_t i = 0; i < analysis.series.size(); ++i) {
    const ScaleSeries& series = analysis.series[i];
    const auto& fit = series.universal.fit ? series.universal.fit : series.amdahl.fit;
    if (!fit) continue;
    const std::string law = fit->law == study::ScalingLaw::universal ? "universal law" : "Amdahl's law";
    const SizeRange range{static_cast<double>(series.base_size), static_cast<double>(series.largest_trusted())};
    Series line = computed_line(range, series.name.empty() ? law : series.name + ", " + law,
                                [&](double size) { return study::throughput_by_law(*fit, size); });
    line.fit_of = i;
    chart.series.push_back(std::move(line));
  }
}

std::string base_text(const ScaleAnalysis& analysis) {
  std::vector<std::string> sizes;
  for (const std::int64_t size : base_sizes(analysis)) sizes.push_back(count_text(size, analysis.size_key));
  return fmt::format("The base is {}{}.", fmt::join(sizes, " or "), sizes.size() > 1 ? ", by series" : "");
}

Section figure_section(const std::string& id, const std::string& title, std::vector<Block> blocks) {
  return {.id = id, .title = title, .blocks = std::move(blocks)};
}

}  // namespace

std::optional<Section> throughput_section(const ScaleAnalysis& analysis) {
  LineChart chart = size_chart(analysis, {.title = "throughput (samples/s)", .from_zero = true, .categories = {}},
                               [](const ScalePoint& point) { return mean_point(point.statistics.throughput); });
  if (!has_points(chart)) return std::nullopt;
  const bool has_fits = analysis.series.size() <= kMostFits;
  if (has_fits) add_fits(chart, analysis);
  if (const auto rate = common_base_rate(analysis)) {
    chart.series.push_back(computed_line(size_range(chart), "ideal", [&](double size) { return *rate * size; }));
  }
  drop_empty_series(chart);
  std::string definition = meanings({Term::throughput, Term::interval});
  definition += has_fits
                    ? " Marks are means over runs; dashed lines are the fitted law, as far as it was fitted, and in "
                      "grey the ideal."
                    : " Marks are means over runs; the dashed line is the ideal. Fitted laws are in a table below.";
  return figure_section("throughput", "Throughput",
                        {make_figure("throughput", "Throughput over " + analysis.size_key, definition, chart)});
}

std::optional<Section> speed_up_section(const ScaleAnalysis& analysis) {
  LineChart chart = size_chart(analysis, {.title = "speed-up", .scale = AxisScale::log2, .categories = {}},
                               [](const ScalePoint& point) { return plain_point(point.speed_up); });
  if (!has_points(chart)) return std::nullopt;
  const std::set<std::int64_t> bases = base_sizes(analysis);
  for (const std::int64_t base : bases) {
    const std::string name = bases.size() == 1 ? "ideal" : fmt::format("ideal from {}", base);
    const SizeRange range{static_cast<double>(base), size_range(chart).last};
    Series ideal = computed_line(range, name, [&](double size) { return size / static_cast<double>(base); });
    chart.series.push_back(std::move(ideal));
  }
  drop_empty_series(chart);
  return figure_section("speed-up", "Speed-up",
                        {make_figure("speed-up", "Speed-up against the ideal",
                                     meaning(Term::speed_up) + " " + base_text(analysis), chart)});
}

std::optional<Section> efficiency_section(const ScaleAnalysis& analysis) {
  LineChart chart = size_chart(analysis, {.title = "efficiency (%)", .from_zero = true, .categories = {}},
                               [](const ScalePoint& point) { return efficiency_point(point); });
  if (!has_points(chart)) return std::nullopt;
  chart.series.push_back(computed_line(size_range(chart), "ideal", [](double) { return kPercent; }));
  if (analysis.any_beyond_linear) {
    chart.hollow_means += fmt::format("{}more than linear: doubtful", chart.hollow_means.empty() ? "" : "; or ");
  }
  drop_empty_series(chart);
  return figure_section("efficiency", "Efficiency",
                        {make_figure("efficiency", "Efficiency over " + analysis.size_key,
                                     meaning(Term::efficiency) + " " + base_text(analysis), chart)});
}

namespace {

Table time_table(const ScaleAnalysis& analysis) {
  Table table{.id = "times",
              .caption = "Turnaround and step time: means over runs with 95 % intervals",
              .header = {"series", analysis.size_key, "turnaround (s)", "turnaround, 95 %", "step (ms)", "step, 95 %",
                         "efficiency by time (%)", "remarks"},
              .rows = {}};
  for (const ListedPoint& listed : listed_points(analysis)) {
    const ScalePoint& point = *listed.point;
    const study::PointStatistics& seen = point.statistics;
    // By time only where each worker does the same work at every size.
    const bool by_time = listed.owner->is_weak || listed.series == "base";
    table.add_row({listed.series.empty() ? "all" : listed.series, fmt::format("{}", point.size),
                   mean_cell(seen.turnaround_seconds), interval_cell(seen.turnaround_seconds),
                   mean_cell(seen.step_seconds, kMilliseconds), interval_cell(seen.step_seconds, kMilliseconds),
                   by_time ? percent_cell(point.time_efficiency) : "-", remark_of(seen, point.oversubscribed)},
                  mark_of(seen, point.oversubscribed));
  }
  return table;
}

}  // namespace

std::optional<Section> time_section(const ScaleAnalysis& analysis) {
  LineChart turnaround =
      size_chart(analysis, {.title = "turnaround (s)", .from_zero = true, .categories = {}},
                 [](const ScalePoint& point) { return mean_point(point.statistics.turnaround_seconds); });
  LineChart step =
      size_chart(analysis, {.title = "step time (ms)", .from_zero = true, .categories = {}},
                 [](const ScalePoint& point) { return mean_point(point.statistics.step_seconds, kMilliseconds); });
  Section section{.id = "time", .title = "Time", .blocks = {}};
  if (has_points(turnaround)) {
    drop_empty_series(turnaround);
    section.blocks.emplace_back(make_figure("turnaround", "Turnaround over " + analysis.size_key,
                                            meanings({Term::turnaround, Term::interval}), turnaround));
  }
  if (has_points(step)) {
    drop_empty_series(step);
    section.blocks.emplace_back(
        make_figure("step-time", "Step time over " + analysis.size_key,
                    meanings({Term::step_time, Term::interval}) +
                        " In strong scaling it should fall with the workers, in weak scaling it should stay the same.",
                    step));
  }
  if (section.blocks.empty()) return std::nullopt;
  section.blocks.emplace_back(time_table(analysis));
  return section;
}

std::optional<Section> cost_section(const ScaleAnalysis& analysis, const std::string& currency) {
  const std::string unit = currency.empty() ? "unit of --price" : currency;
  LineChart chart =
      size_chart(analysis, {.title = fmt::format("cost of a run ({})", unit), .from_zero = true, .categories = {}},
                 [](const ScalePoint& point) { return plain_point(point.statistics.cost); });
  if (!has_points(chart)) return std::nullopt;
  drop_empty_series(chart);
  return figure_section("cost", "Cost",
                        {make_figure("cost", "Cost of a run over " + analysis.size_key, meaning(Term::cost), chart)});
}

}  // namespace convoy::report
