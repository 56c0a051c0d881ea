#include "convoy/report/sweep_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "convoy/base/number_text.h"
#include "convoy/report/figure_data.h"
#include "convoy/report/glossary.h"
#include "convoy/report/scale_points.h"
#include "convoy/report/section_list.h"
#include "convoy/report/sweep_maps.h"
#include "convoy/report/sweep_table.h"
#include "convoy/report/words.h"
#include "convoy/study/sweep_analysis.h"

namespace convoy::report {
namespace {

using study::StudyResults;
using study::SweepAnalysis;
using study::SweepPoint;

// Curves that can still be told from each other.
constexpr std::size_t kMostCurves = 8;

bool is_ranked(const SweepPoint& point) { return point.loss_by_seconds && !point.given_up; }

std::string name_of(const StudyResults& results, const SweepPoint& point) {
  return settings_text(point.point, varied_keys(results.spec)) + (point.oversubscribed ? " (oversubscribed)" : "");
}

Highlights highlights_of(const StudyResults& results, const SweepAnalysis& analysis) {
  Highlights highlights;
  const SweepPoint& best = analysis.ranked.front();
  highlights.entries.push_back({"learns fastest", name_of(results, best),
                                fmt::format("mean loss {} over the first {} s", significant_text(*best.loss_by_seconds),
                                            short_text(analysis.horizon_seconds.value_or(0)))});
  const SweepPoint* most = nullptr;
  for (const SweepPoint& point : analysis.ranked) {
    if (point.final_accuracy && (most == nullptr || *point.final_accuracy > *most->final_accuracy)) most = &point;
  }
  if (most != nullptr) {
    highlights.entries.push_back({"best accuracy", percent_text(*most->final_accuracy), name_of(results, *most)});
  }
  return highlights;
}

std::string winner_text(const StudyResults& results, const SweepAnalysis& analysis) {
  const SweepPoint& best = analysis.ranked.front();
  std::string text = fmt::format(
      "Of {}, {} learns fastest: its loss is {} on average over the first {} s, where the shortest run ends.",
      count_text(static_cast<std::int64_t>(analysis.ranked.size()), "points"), name_of(results, best),
      significant_text(*best.loss_by_seconds), short_text(analysis.horizon_seconds.value_or(0)));
  if (analysis.ranked.size() > 1 && is_ranked(analysis.ranked[1])) {
    const SweepPoint& second = analysis.ranked[1];
    text += fmt::format(" The second, {}, has {}, {} more.", name_of(results, second),
                        significant_text(*second.loss_by_seconds),
                        percent_text(*second.loss_by_seconds / *best.loss_by_seconds - 1));
  }
  if (results.spec.repeats == 1) {
    text += " Each point was run once, so how much of that is chance is not known.";
  }
  return text;
}

// "3 points were given up early: ..."; names those without a rank too.
std::string dropped_text(const StudyResults& results, const SweepAnalysis& analysis) {
  std::vector<std::string> given_up;
  std::vector<std::string> unranked;
  for (const SweepPoint& point : analysis.ranked) {
    const std::string name = "(" + name_of(results, point) + ")";
    if (!point.loss_by_seconds) {
      unranked.push_back(point.trouble.empty() ? name : fmt::format("{}: {}", name, short_trouble(point)));
    } else if (point.given_up) {
      given_up.push_back(name);
    }
  }
  std::string text;
  if (!given_up.empty()) {
    text += fmt::format("Given up early and ranked after the others: {}.", fmt::join(given_up, "; "));
  }
  if (!unranked.empty()) {
    text +=
        fmt::format("{}Without a rank, but kept in the table: {}.", text.empty() ? "" : " ", fmt::join(unranked, "; "));
  }
  return text;
}

Section summary_of(const StudyResults& results, const SweepAnalysis& analysis) {
  Section section{.id = "summary", .title = "Summary", .blocks = {}};
  const bool any = !analysis.ranked.empty() && analysis.ranked.front().loss_by_seconds.has_value();
  if (any) {
    section.blocks.emplace_back(highlights_of(results, analysis));
    section.blocks.emplace_back(Paragraph{winner_text(results, analysis)});
  } else {
    section.blocks.emplace_back(Paragraph{"No point has a finite loss, so there is no best one."});
  }
  if (std::string text = dropped_text(results, analysis); !text.empty()) {
    section.blocks.emplace_back(Paragraph{std::move(text)});
  }
  if (std::ranges::any_of(analysis.ranked, &SweepPoint::oversubscribed)) {
    section.blocks.emplace_back(Notice{.kind = Notice::Kind::warning,
                                       .title = "Oversubscribed points",
                                       .text = "Points with more threads than cores are marked and drawn hollow: with "
                                               "cores of their own they would rank higher over time."});
  }
  if (auto best = best_table(results.spec, analysis)) section.blocks.emplace_back(std::move(*best));
  section.blocks.emplace_back(ranking_table(results.spec, analysis));
  section.blocks.emplace_back(Paragraph{meaning(Term::loss_area)});
  return section;
}

std::optional<Section> ranking_section(const StudyResults& results, const SweepAnalysis& analysis) {
  RankChart chart{.value_title = "mean loss over time", .bars = {}, .better = Better::lower};
  for (const SweepPoint& point : analysis.ranked) {
    const bool drawn = is_drawable(point, analysis);
    // Before the settings, because long names are cut at their end.
    std::string name = drawn ? "" : !point.loss_by_seconds ? "no loss: " : point.given_up ? "given up: " : "far off: ";
    name += name_of(results, point);
    Bar bar{.hollow = point.oversubscribed};
    if (drawn) bar.value = *point.loss_by_seconds;
    if (point.oversubscribed) chart.hollow_means = kOversubscribedMeans;
    chart.bars.push_back({std::move(name), bar});
  }
  if (std::ranges::none_of(analysis.ranked, is_ranked)) return std::nullopt;
  return Section{
      .id = "ranking",
      .title = "Ranking",
      .blocks = {make_figure("ranking-chart", "Settings by the mean loss over time",
                             meaning(Term::loss_area) + " Points that were given up, or have a loss that is not finite "
                                                        "or more than a hundred times the best, have no bar.",
                             std::move(chart))}};
}

const study::StudyRun* first_counted(const StudyResults& results, const study::Point& point) {
  const auto result = std::ranges::find(results.points, point, &study::PointResult::point);
  const auto run = std::ranges::find_if(result->runs, &study::StudyRun::counts);
  return run == result->runs.end() ? nullptr : &*run;
}

LineChart curves_over(const StudyResults& results, const SweepAnalysis& analysis, const std::string& x_title,
                      double study::CurvePoint::*x) {
  // More threads than cores take longer, and learn the same.
  const bool over_time = x == &study::CurvePoint::seconds;
  LineChart chart{.x = {.title = x_title, .from_zero = true, .categories = {}},
                  .y = {.title = "training loss", .categories = {}},
                  .series = {}};
  for (const SweepPoint& point : analysis.ranked) {
    if (chart.series.size() == kMostCurves || !point.loss_by_seconds) break;
    const study::StudyRun* const run = first_counted(results, point.point);
    if (run == nullptr) continue;
    const bool is_doubtful = over_time && point.oversubscribed;
    if (is_doubtful) chart.hollow_means = kOversubscribedMeans;
    Series& line = chart.series.emplace_back();
    line.name = name_of(results, point);
    for (const study::CurvePoint& seen : run->measures->curve) {
      line.points.push_back({.x = seen.*x, .y = seen.train_loss, .low = {}, .high = {}, .hollow = is_doubtful});
    }
  }
  return chart;
}

std::optional<Section> curves_section(const StudyResults& results, const SweepAnalysis& analysis) {
  LineChart seconds = curves_over(results, analysis, "seconds since the start of the run", &study::CurvePoint::seconds);
  LineChart samples = curves_over(results, analysis, "samples trained on", &study::CurvePoint::samples);
  if (seconds.series.empty()) return std::nullopt;
  const std::string which =
      fmt::format("Mean training loss of each epoch, at its end. The first run of each of the best {}.",
                  count_text(static_cast<std::int64_t>(seconds.series.size()), "points"));
  Section section{.id = "curves", .title = "Loss curves", .blocks = {}};
  section.blocks.emplace_back(make_figure("loss-over-time", "Loss over time", which, std::move(seconds)));
  section.blocks.emplace_back(make_figure("loss-over-samples", "Loss over samples", which, std::move(samples)));
  return section;
}

}  // namespace

std::vector<Section> sweep_sections(const StudyResults& results) {
  const SweepAnalysis analysis = study::analyse_sweep(results);
  SectionList sections;
  sections.add(summary_of(results, analysis));
  sections.add(ranking_section(results, analysis), "the chart of the ranking, since no point has a finite loss");
  sections.add(sweep_maps_section(results.spec, analysis),
               "maps over two settings, since fewer than two vary or no point has a finite loss");
  sections.add(curves_section(results, analysis), "loss curves, since no point has a finite loss");
  return sections.take();
}

}  // namespace convoy::report
