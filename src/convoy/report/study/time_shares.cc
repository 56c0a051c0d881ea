#include "convoy/report/study/time_shares.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "convoy/report/figure.h"
#include "convoy/report/glossary.h"
#include "convoy/report/measured_values.h"
#include "convoy/report/study/scale_points.h"
#include "convoy/report/words.h"

namespace convoy::report {
namespace {

using study::ScaleAnalysis;
using study::ScalePoint;

constexpr const char* kFreeNetwork = "efficiency with a free network (%)";

StackedBarChart chart_of(const ScaleAnalysis& analysis) {
  StackedBarChart chart{
      .stack_title = "point", .share_title = "share of step time (%)", .parts = share_names(), .stacks = {}};
  for (const ListedPoint& listed : listed_points(analysis)) {
    if (!listed.point->statistics.shares) continue;
    chart.stacks.push_back({point_name(analysis, listed), share_amounts(*listed.point->statistics.shares)});
  }
  return chart;
}

Table why_table(const ScaleAnalysis& analysis) {
  Table table{.id = "why",
              .caption = "Why each point is as fast as it is, and the first thing to change",
              .header = {"point", "limited by", "why", kFreeNetwork, "first thing to change"},
              .rows = {}};
  for (const ListedPoint& listed : listed_points(analysis)) {
    const ScalePoint& point = *listed.point;
    if (!point.verdict) continue;
    table.add_row({point_name(analysis, listed), std::string(to_text(point.verdict->bottleneck)), point.verdict->why,
                   percent_cell(point.verdict->free_network_efficiency), point.verdict->advice},
                  mark_of(point.statistics, point.oversubscribed));
  }
  return table;
}

}  // namespace

std::vector<std::string> share_names() {
  return {"compute", "exposed communication", "straggler wait", "input wait", "other"};
}

std::vector<double> share_amounts(const study::TimeShares& shares) {
  return {shares.compute * kPercent, shares.exposed_communication * kPercent, shares.straggler_wait * kPercent,
          shares.input_wait * kPercent, shares.other * kPercent};
}

std::optional<Section> time_shares_section(const ScaleAnalysis& analysis) {
  StackedBarChart chart = chart_of(analysis);
  if (chart.stacks.empty()) return std::nullopt;
  Section section{.id = "shares", .title = "Where the time goes", .blocks = {}};
  section.blocks.emplace_back(
      make_figure("shares", "Where the time of a step goes", meaning(Term::shares), std::move(chart)));
  if (Table why = why_table(analysis); !why.rows.empty()) {
    const bool has_free_network = std::ranges::count(without_empty_columns(why).header, kFreeNetwork) > 0;
    section.blocks.emplace_back(std::move(why));
    if (has_free_network) section.blocks.emplace_back(Paragraph{meanings({Term::free_network})});
  }
  return section;
}

namespace {

// As many lines as can still be distinguished.
constexpr std::size_t kMostLines = 8;

// The first of the runs that the point's numbers are based on.
const study::StudyRun* first_measured(const study::StudyResults& results, const study::Point& point) {
  const auto result = std::ranges::find(results.points, point, &study::PointResult::point);
  const std::vector<const study::StudyRun*> runs = study::measured_runs(*result);
  return runs.empty() ? nullptr : runs.front();
}

Series line_of(const study::StudyRun& run, std::string name, bool hollow) {
  Series line{.name = std::move(name), .points = {}};
  for (const study::CurvePoint& point : run.measures->curve) {
    if (point.cpu_use <= 0) continue;  // not known
    line.points.push_back({.x = point.seconds, .y = point.cpu_use, .low = {}, .high = {}, .hollow = hollow});
  }
  return line;
}

struct Drawn {
  const study::ScalePoint* point;
  Series line;
};

std::vector<Drawn> lines_of(const study::StudyResults& results, const study::ScaleAnalysis& analysis) {
  std::vector<Drawn> lines;
  for (const ListedPoint& listed : listed_points(analysis)) {
    const study::StudyRun* const run = first_measured(results, listed.point->point);
    if (run == nullptr) continue;
    Series line = line_of(*run, point_name(analysis, listed), listed.point->is_doubtful());
    if (!line.points.empty()) lines.push_back({listed.point, std::move(line)});
  }
  return lines;
}

// Which of two points is left out first: an oversubscribed one, otherwise the smaller one.
bool is_less_telling(const Drawn& a, const Drawn& b) {
  if (a.point->oversubscribed != b.point->oversubscribed) return a.point->oversubscribed;
  return a.point->size < b.point->size;
}

// Removes lines if there are too many and returns how many; the others keep their order, which is that of the tables.
std::int64_t leave_out(std::vector<Drawn>& lines) {
  std::int64_t left_out = 0;
  for (; lines.size() > kMostLines; ++left_out) lines.erase(std::ranges::min_element(lines, is_less_telling));
  return left_out;
}

}  // namespace

std::optional<Section> cpu_use_section(const study::StudyResults& results, const study::ScaleAnalysis& analysis) {
  LineChart chart{.x = {.title = "seconds since the start of the run", .from_zero = true, .categories = {}},
                  .y = {.title = "cores kept busy", .from_zero = true, .categories = {}},
                  .series = {},
                  .hollow_means = hollow_text(analysis)};
  std::vector<Drawn> lines = lines_of(results, analysis);
  if (lines.empty()) return std::nullopt;
  const std::int64_t left_out = leave_out(lines);
  for (Drawn& drawn : lines) chart.series.push_back(std::move(drawn.line));
  Section section{.id = "cpu-use", .title = "CPU use over time", .blocks = {}};
  section.blocks.emplace_back(make_figure("cpu-use", "CPU use over time, first run of each point",
                                          meaning(Term::cpu_use) + " A mark stands at the end of its epoch.", chart));
  if (left_out > 0) {
    section.blocks.emplace_back(Paragraph{fmt::format("Left out for legibility: {}.", count_text(left_out, "points"))});
  }
  return section;
}

}  // namespace convoy::report
