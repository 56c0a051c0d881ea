#include "convoy/report/study/cpu_use.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "convoy/report/figure_data.h"
#include "convoy/report/glossary.h"
#include "convoy/report/study/scale_points.h"
#include "convoy/report/words.h"

namespace convoy::report {
namespace {

// Lines that can still be told from each other.
constexpr std::size_t kMostLines = 8;

// Of those that its numbers rest on.
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

// Of two points the one to leave out: the oversubscribed one, else the smaller.
bool is_less_telling(const Drawn& a, const Drawn& b) {
  if (a.point->oversubscribed != b.point->oversubscribed) return a.point->oversubscribed;
  return a.point->size < b.point->size;
}

// How many had to go; the others keep their order, which is that of the tables.
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
