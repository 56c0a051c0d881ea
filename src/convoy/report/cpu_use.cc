#include "convoy/report/cpu_use.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "convoy/report/figure_data.h"
#include "convoy/report/glossary.h"
#include "convoy/report/scale_points.h"
#include "convoy/report/words.h"

namespace convoy::report {
namespace {

// Lines that can still be told from each other.
constexpr std::size_t kMostLines = 8;

const study::StudyRun* first_counted(const study::StudyResults& results, const study::Point& point) {
  const auto result = std::ranges::find(results.points, point, &study::PointResult::point);
  const auto run = std::ranges::find_if(result->runs, &study::StudyRun::counts);
  return run == result->runs.end() ? nullptr : &*run;
}

Series line_of(const study::StudyRun& run, std::string name, bool hollow) {
  Series line{.name = std::move(name), .points = {}};
  for (const study::CurvePoint& point : run.measures->curve) {
    if (point.cpu_use <= 0) continue;  // not known
    line.points.push_back({.x = point.seconds, .y = point.cpu_use, .low = {}, .high = {}, .hollow = hollow});
  }
  return line;
}

}  // namespace

std::optional<Section> cpu_use_section(const study::StudyResults& results, const study::ScaleAnalysis& analysis) {
  LineChart chart{.x = {.title = "seconds since the start of the run", .from_zero = true, .categories = {}},
                  .y = {.title = "cores kept busy", .from_zero = true, .categories = {}},
                  .series = {},
                  .hollow_means = analysis.any_oversubscribed ? kOversubscribedMeans : ""};
  std::vector<ListedPoint> points = listed_points(analysis);
  std::ranges::stable_sort(points, [](const ListedPoint& a, const ListedPoint& b) {
    if (a.point->oversubscribed != b.point->oversubscribed) return b.point->oversubscribed;
    return a.point->size > b.point->size;
  });
  std::int64_t left_out = 0;
  for (const ListedPoint& listed : points) {
    const study::StudyRun* const run = first_counted(results, listed.point->point);
    if (run == nullptr) continue;
    Series line = line_of(*run, point_name(analysis, listed), listed.point->oversubscribed);
    if (line.points.empty()) continue;
    if (chart.series.size() == kMostLines) ++left_out;
    if (chart.series.size() < kMostLines) chart.series.push_back(std::move(line));
  }
  if (chart.series.empty()) return std::nullopt;
  std::ranges::reverse(chart.series);
  Section section{.id = "cpu-use", .title = "CPU use over time", .blocks = {}};
  section.blocks.emplace_back(make_figure("cpu-use", "CPU use over time, first run of each point",
                                          meaning(Term::cpu_use) + " A mark stands at the end of its epoch.", chart));
  if (left_out > 0) {
    section.blocks.emplace_back(Paragraph{fmt::format("Left out for legibility: {}.", count_text(left_out, "points"))});
  }
  return section;
}

}  // namespace convoy::report
