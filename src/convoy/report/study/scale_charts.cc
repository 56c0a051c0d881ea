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
#include "convoy/study/plan/price.h"

namespace convoy::report {
namespace {

// What is drawn for a point; no value if it was not measured. The caller fills in `x` and `hollow`.
using Measure = std::function<std::optional<Point>(const study::ScalePoint&)>;

// The smallest and the largest size in the chart, which has points.
struct SizeRange {
  double first = 0;
  double last = 0;
};

// Series i of the chart is series i of the analysis; it may be without points.
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
      if (!drawn || point.size == 0) continue;  // of unknown size, so it has no place
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

// Removes lines without points, and adjusts the references of computed lines.
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

// A dashed line over this range, including both ends.
Series computed_line(SizeRange range, std::string name, const std::function<double(double)>& y) {
  constexpr int kPieces = 32;  // a straight line is curved on an axis of doublings
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

constexpr std::size_t kMostFits = 6;  // with more, dashed lines would hide what was measured

std::optional<Point> plain_point(std::optional<double> y, double scale = 1) {
  if (!y) return std::nullopt;
  return Point{.x = 0, .y = *y * scale, .low = {}, .high = {}};
}

// An impossible efficiency is drawn as doubtful.
std::optional<Point> efficiency_point(const ScalePoint& point) {
  std::optional<Point> drawn = plain_point(point.efficiency, kPercent);
  if (drawn) drawn->hollow = point.beyond_linear;
  return drawn;
}

std::optional<Point> mean_point(const MaybeSummary& summary, double scale = 1) {
  return summary ? std::optional(summary_point(0, *summary, {.scale = scale})) : std::nullopt;
}

// The base sizes of the measured series.
// A series of one size has nothing to compare with its base.
bool compares(const ScaleSeries& series) { return series.points.size() > 1; }

std::set<std::int64_t> base_sizes(const ScaleAnalysis& analysis) {
  std::set<std::int64_t> sizes;
  for (const ScaleSeries& series : analysis.series) {
    if (series.base_size > 0 && compares(series)) sizes.insert(series.base_size);
  }
  return sizes;
}

// The throughput per worker of the base, if it is the same for all series.
std::optional<double> common_base_rate(const ScaleAnalysis& analysis) {
  std::set<double> rates;
  for (const ScaleSeries& series : analysis.series) {
    if (!compares(series)) continue;
    for (const ScalePoint& point : series.points) {
      if (!series.is_base(point) || !point.statistics.throughput || point.is_disturbed()) continue;
      rates.insert(point.statistics.throughput->mean / static_cast<double>(point.size));
    }
  }
  return rates.size() == 1 ? std::optional(*rates.begin()) : std::nullopt;
}

// Fits are drawn only as far as they were fitted, not into the range of oversubscribed points. Returns whether there is
// any.
bool add_fits(LineChart& chart, const ScaleAnalysis& analysis) {
  bool any = false;
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
    any = true;
  }
  return any;
}

std::string base_text(const ScaleAnalysis& analysis) {
  std::vector<std::string> sizes;
  for (const std::int64_t size : base_sizes(analysis)) sizes.push_back(count_text(size, analysis.size_key));
  return fmt::format("The base is {}{}.", fmt::join(sizes, " or "), sizes.size() > 1 ? ", by series" : "");
}

// The part of an analysis that one figure of each kind shows.
struct ChartPart {
  ScaleAnalysis analysis;  // series and the words for axes, without answers
  std::string suffix;      // for the ids of figures
  std::string of;          // " of vgg16"; empty if all series have the same network
};

// One chart for each network, because the throughputs of networks of different sizes would hide each other.
std::vector<ChartPart> chart_parts(const ScaleAnalysis& analysis) {
  std::vector<ChartPart> parts;
  for (const ScaleSeries& series : analysis.series) {
    const auto model = series.values.find("model");
    const bool one_of_several = model != series.values.end() && series.name.find(model->second) != std::string::npos;
    const std::string of = one_of_several ? " of " + model->second : "";
    auto part = std::ranges::find(parts, of, &ChartPart::of);
    if (part == parts.end()) {
      ChartPart fresh{.analysis = {.size_key = analysis.size_key, .scaling = analysis.scaling}, .suffix = "", .of = of};
      if (one_of_several) fresh.suffix = fmt::format("-{}", parts.size() + 1);
      fresh.analysis.any_oversubscribed = analysis.any_oversubscribed;
      fresh.analysis.any_disturbed = analysis.any_disturbed;
      part = parts.insert(parts.end(), std::move(fresh));
    }
    part->analysis.series.push_back(series);
  }
  return parts;
}

// "Throughput of vgg16 over workers, strong scaling"
std::string title_of(const std::string& what, const ChartPart& part) {
  const std::string& scaling = part.analysis.scaling;
  return fmt::format("{}{} over {}{}", what, part.of, part.analysis.size_key,
                     scaling.empty() ? "" : ", " + scaling + " scaling");
}

struct FigureWords {
  std::string id;
  std::string what;  // how its title begins
  std::string definition;
};

// Appends a figure if there is something to draw.
void add_figure(std::vector<Block>& blocks, const ChartPart& part, const FigureWords& words, LineChart chart) {
  if (!has_points(chart)) return;
  drop_empty_series(chart);
  blocks.emplace_back(
      make_figure(words.id + part.suffix, title_of(words.what, part), words.definition, std::move(chart)));
}

std::optional<Section> figure_section(const std::string& id, const std::string& title, std::vector<Block> blocks) {
  if (blocks.empty()) return std::nullopt;
  return Section{.id = id, .title = title, .blocks = std::move(blocks)};
}

// If sizes double more than once, the ideal would flatten what was measured on a linear axis; with two logarithmic axes
// both are straight lines.
Axis throughput_axis(const LineChart& chart) {
  constexpr double kMostOnLinearAxis = 2;
  const SizeRange range = size_range(chart);
  const bool doubles = range.first > 0 && range.last / range.first > kMostOnLinearAxis;
  return {.title = "throughput (samples/s)",
          .scale = doubles ? AxisScale::log2 : AxisScale::linear,
          .from_zero = !doubles,
          .categories = {}};
}

bool has_interval(const Series& series) {
  return std::ranges::any_of(series.points, [](const Point& point) { return point.low.has_value(); });
}

void add_throughput(std::vector<Block>& blocks, const ChartPart& part) {
  const ScaleAnalysis& analysis = part.analysis;
  LineChart chart = size_chart(analysis, {.title = "", .categories = {}},
                               [](const ScalePoint& point) { return mean_point(point.statistics.throughput); });
  if (!has_points(chart)) return;
  chart.y = throughput_axis(chart);
  const bool has_intervals = std::ranges::any_of(chart.series, has_interval);
  std::string definition = has_intervals ? meanings({Term::throughput, Term::interval}) : meaning(Term::throughput);
  definition += " Marks are means over runs.";
  if (analysis.series.size() > kMostFits) {
    definition += " Fitted laws are in a table below.";
  } else if (add_fits(chart, analysis)) {
    definition += " Coloured dashed lines are the fitted law, as far as it was fitted.";
  }
  if (const auto rate = common_base_rate(analysis)) {
    chart.series.push_back(computed_line(size_range(chart), "ideal", [&](double size) { return *rate * size; }));
    definition += " The grey dashed line is the ideal.";
  }
  add_figure(blocks, part, {"throughput", "Throughput", definition}, std::move(chart));
}

void add_speed_up(std::vector<Block>& blocks, const ChartPart& part) {
  if (std::ranges::none_of(part.analysis.series, compares)) return;
  LineChart chart = size_chart(part.analysis, {.title = "speed-up", .scale = AxisScale::log2, .categories = {}},
                               [](const ScalePoint& point) { return plain_point(point.speed_up); });
  const std::set<std::int64_t> bases = base_sizes(part.analysis);
  const double last = size_range(chart).last;
  for (const std::int64_t base : bases) {
    const std::string name = bases.size() == 1 ? "ideal" : fmt::format("ideal from {}", base);
    Series ideal = computed_line({static_cast<double>(base), last}, name,
                                 [&](double size) { return size / static_cast<double>(base); });
    chart.series.push_back(std::move(ideal));
  }
  add_figure(blocks, part, {"speed-up", "Speed-up", meaning(Term::speed_up) + " " + base_text(part.analysis)},
             std::move(chart));
}

void add_efficiency(std::vector<Block>& blocks, const ChartPart& part) {
  if (std::ranges::none_of(part.analysis.series, compares)) return;
  LineChart chart = size_chart(part.analysis, {.title = "efficiency (%)", .from_zero = true, .categories = {}},
                               [](const ScalePoint& point) { return efficiency_point(point); });
  if (!has_points(chart)) return;
  chart.series.push_back(computed_line(size_range(chart), "ideal", [](double) { return kPercent; }));
  const auto beyond = [](const ScaleSeries& s) { return std::ranges::any_of(s.points, &ScalePoint::beyond_linear); };
  if (std::ranges::any_of(part.analysis.series, beyond)) {
    chart.hollow_means += fmt::format("{}more than linear: doubtful", chart.hollow_means.empty() ? "" : "; or ");
  }
  add_figure(blocks, part, {"efficiency", "Efficiency", meaning(Term::efficiency) + " " + base_text(part.analysis)},
             std::move(chart));
}

void add_cv(std::vector<Block>& blocks, const ChartPart& part) {
  LineChart chart = size_chart(part.analysis, {.title = "CV of throughput (%)", .from_zero = true, .categories = {}},
                               [](const ScalePoint& point) {
                                 const MaybeSummary& seen = point.statistics.throughput;
                                 return has_spread(seen) ? plain_point(seen->cv, kPercent) : std::nullopt;
                               });
  add_figure(blocks, part, {"cv", "CV of throughput", meanings({Term::spread})}, std::move(chart));
}

// Calls all functions for each part; they add figures to the section's blocks.
template <typename... Add>
std::vector<Block> blocks_of(const ScaleAnalysis& analysis, Add... add) {
  std::vector<Block> blocks;
  for (const ChartPart& part : chart_parts(analysis)) (add(blocks, part), ...);
  return blocks;
}

}  // namespace

std::optional<Section> throughput_section(const ScaleAnalysis& analysis) {
  return figure_section("throughput", "Throughput", blocks_of(analysis, add_throughput));
}

std::optional<Section> speed_up_section(const ScaleAnalysis& analysis) {
  return figure_section("speed-up", "Speed-up", blocks_of(analysis, add_speed_up));
}

std::optional<Section> efficiency_section(const ScaleAnalysis& analysis) {
  return figure_section("efficiency", "Efficiency", blocks_of(analysis, add_efficiency));
}

std::vector<Block> cv_figures(const ScaleAnalysis& analysis) { return blocks_of(analysis, add_cv); }

namespace {

Table time_table(const ScaleAnalysis& analysis) {
  Table table{.id = "times",
              .caption = "Turnaround and step time: means over runs with 95 % intervals",
              .header = {"series", analysis.size_key, "turnaround (s)", "turnaround, 95 %", "step (ms)", "step, 95 %",
                         "step / base's", "efficiency by time (%)", "remarks"},
              .rows = {}};
  for (const ListedPoint& listed : listed_points(analysis)) {
    const ScalePoint& point = *listed.point;
    const study::PointStatistics& seen = point.statistics;
    // Efficiency by time only makes sense if each worker does the same work at every size.
    const bool by_time = listed.owner->is_weak || listed.begins_several;
    table.add_row({listed.series.empty() ? "all" : listed.series, fmt::format("{}", point.size),
                   mean_cell(seen.turnaround_seconds), interval_cell(seen.turnaround_seconds),
                   mean_cell(seen.step_seconds, kMilliseconds), interval_cell(seen.step_seconds, kMilliseconds),
                   number_cell(point.step_increase, 3), by_time ? percent_cell(point.time_efficiency) : "-",
                   remark_of(seen, point.oversubscribed)},
                  mark_of(seen, point.oversubscribed));
  }
  return table;
}

}  // namespace

namespace {

void add_turnaround(std::vector<Block>& blocks, const ChartPart& part) {
  LineChart chart = size_chart(part.analysis, {.title = "turnaround (s)", .from_zero = true, .categories = {}},
                               [](const ScalePoint& point) { return mean_point(point.statistics.turnaround_seconds); });
  add_figure(blocks, part, {"turnaround", "Turnaround", meanings({Term::turnaround, Term::interval})},
             std::move(chart));
}

void add_step_time(std::vector<Block>& blocks, const ChartPart& part) {
  LineChart chart =
      size_chart(part.analysis, {.title = "step time (ms)", .from_zero = true, .categories = {}},
                 [](const ScalePoint& point) { return mean_point(point.statistics.step_seconds, kMilliseconds); });
  add_figure(blocks, part,
             {"step-time", "Step time",
              meanings({Term::step_time, Term::interval}) +
                  " In strong scaling it should fall with the workers, in weak scaling it should stay the same."},
             std::move(chart));
}

void add_step_increase(std::vector<Block>& blocks, const ChartPart& part) {
  LineChart chart =
      size_chart(part.analysis, {.title = "step time / that of the base", .from_zero = true, .categories = {}},
                 [](const ScalePoint& point) { return plain_point(point.step_increase); });
  if (!has_points(chart)) return;
  chart.series.push_back(computed_line(size_range(chart), "the base's", [](double) { return 1; }));
  add_figure(blocks, part, {"step-increase", "Step time against the base", meaning(Term::step_increase)},
             std::move(chart));
}

}  // namespace

std::optional<Section> time_section(const ScaleAnalysis& analysis) {
  std::vector<Block> blocks = blocks_of(analysis, add_turnaround, add_step_time, add_step_increase);
  if (blocks.empty()) return std::nullopt;
  blocks.emplace_back(time_table(analysis));
  return figure_section("time", "Time", std::move(blocks));
}

std::optional<Section> cost_section(const ScaleAnalysis& analysis, const std::string& currency) {
  const std::string unit = study::unit_of(currency);
  return figure_section("cost", "Cost", blocks_of(analysis, [&](std::vector<Block>& blocks, const ChartPart& part) {
                          LineChart chart = size_chart(
                              part.analysis,
                              {.title = fmt::format("cost of a run ({})", unit), .from_zero = true, .categories = {}},
                              [](const ScalePoint& point) { return plain_point(point.statistics.cost); });
                          add_figure(blocks, part, {"cost", "Cost of a run", meaning(Term::cost)}, std::move(chart));
                        }));
}

}  // namespace convoy::report
