#include "convoy/report/study/kind_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "convoy/base/number_text.h"
#include "convoy/base/statistics.h"
#include "convoy/report/document.h"
#include "convoy/report/figure.h"
#include "convoy/report/glossary.h"
#include "convoy/report/study/converge_parts.h"
#include "convoy/report/study/scale_points.h"
#include "convoy/report/study/sweep_parts.h"
#include "convoy/report/words.h"

namespace convoy::report {
namespace {

using study::StudyResults;
using study::SweepAnalysis;
using study::SweepPoint;

// Curves that can still be told from each other, and marks of each that do not hide its course.
constexpr std::size_t kMostCurves = 8;
constexpr std::size_t kMostMarks = 40;

bool is_ranked(const SweepPoint& point) { return point.loss_by_seconds.has_value(); }

// "the first 1.9 s", "2.9 to 8.8 s"
std::string stretch_text(const SweepAnalysis& analysis) {
  const study::Stretch stretch = analysis.seconds.value_or(study::Stretch{});
  if (stretch.from == 0) return fmt::format("the first {} s", short_text(stretch.to));
  return fmt::format("{} to {} s", short_text(stretch.from), short_text(stretch.to));
}

Highlights highlights_of(const SweepAnalysis& analysis) {
  Highlights highlights;
  const SweepPoint& best = analysis.ranked.front();
  const bool is_shown = analysis.lead.is_shown();
  highlights.entries.push_back(
      {is_shown ? "learns fastest" : "lowest loss over time, not decided", best.name,
       fmt::format("mean loss {} over {}", significant_text(*best.loss_by_seconds), stretch_text(analysis))});
  if (analysis.accuracy_lead) {
    const SweepPoint& most = analysis.ranked[analysis.accuracy_lead->best];
    const std::string doubt = accuracy_doubt(*analysis.accuracy_lead);
    highlights.entries.push_back({doubt.empty() ? "best accuracy" : "highest accuracy",
                                  percent_text(mean(most.accuracies.runs)),
                                  fmt::format("{} at epoch {}{}", most.name, analysis.accuracy_epoch, doubt)});
  }
  return highlights;
}

std::string second_text(const SweepAnalysis& analysis) {
  if (analysis.ranked.size() < 2 || !is_ranked(analysis.ranked[1])) return "";
  const SweepPoint& second = analysis.ranked[1];
  const double best = *analysis.ranked.front().loss_by_seconds;
  std::string text =
      fmt::format(" The second, {}, has {}, {} more", second.name, significant_text(*second.loss_by_seconds),
                  percent_text(*second.loss_by_seconds / best - 1));
  if (const auto& larger_by = analysis.lead.to_second) {
    text += fmt::format(" (95 % interval of the difference {} to {} %)", short_text(100 * larger_by->low / best),
                        short_text(100 * larger_by->high / best));
  }
  return text + ".";
}

std::string winner_text(const SweepAnalysis& analysis) {
  const SweepPoint& best = analysis.ranked.front();
  const study::SweepLead& lead = analysis.lead;
  const std::string value = significant_text(*best.loss_by_seconds);
  const std::string where =
      fmt::format("{}{}", stretch_text(analysis), analysis.ranked.size() > 1 ? ", where the shortest run ends" : "");
  const std::string points = count_text(static_cast<std::int64_t>(analysis.ranked.size()), "points");
  std::string text = lead.is_shown()
                         ? fmt::format("Of {}, {} learns fastest: its training loss is {} on average over {}.", points,
                                       best.name, value, where)
                         : fmt::format("Of {}, {} has the lowest training loss over time: {} on average over {}.",
                                       points, best.name, value, where);
  text += second_text(analysis);
  if (!lead.is_shown()) text += " " + lead.why_none;
  if (!analysis.by_steps) {
    text +=
        " Some runs have no record of every step: their losses are means of epochs, known from the end of the "
        "first one on.";
  }
  return text;
}

// "3 points were given up early: ..."; names those without a rank too.
std::string dropped_text(const SweepAnalysis& analysis) {
  std::vector<std::string> given_up;
  std::vector<std::string> unranked;
  for (const SweepPoint& point : analysis.ranked) {
    const std::string name = "(" + point.name + ")";
    if (!point.trouble.empty()) {
      unranked.push_back(fmt::format("{}: {}", name, short_trouble(point)));
    } else if (point.given_up) {
      given_up.push_back(name);
    }
  }
  std::string text;
  if (!given_up.empty()) {
    text +=
        fmt::format("Given up early, before the time that the others are compared on: {}.", fmt::join(given_up, "; "));
  }
  if (!unranked.empty()) {
    text +=
        fmt::format("{}Without a rank, but kept in the table: {}.", text.empty() ? "" : " ", fmt::join(unranked, "; "));
  }
  return text;
}

Section summary_of(const study::StudySpec& spec, const SweepAnalysis& analysis) {
  Section section{.id = "summary", .title = "Summary", .blocks = {}};
  const bool any = !analysis.ranked.empty() && analysis.ranked.front().loss_by_seconds.has_value();
  if (any) {
    section.blocks.emplace_back(highlights_of(analysis));
    section.blocks.emplace_back(Paragraph{winner_text(analysis)});
  } else {
    section.blocks.emplace_back(Paragraph{analysis.lead.why_none});
  }
  if (std::string text = dropped_text(analysis); !text.empty()) {
    section.blocks.emplace_back(Paragraph{std::move(text)});
  }
  if (std::ranges::any_of(analysis.ranked, &SweepPoint::oversubscribed)) {
    section.blocks.emplace_back(Notice{.kind = Notice::Kind::warning,
                                       .title = "Oversubscribed points",
                                       .text = "Points with more threads than cores are marked and drawn hollow: with "
                                               "cores of their own they would rank higher over time."});
  }
  if (auto best = best_table(spec, analysis)) section.blocks.emplace_back(std::move(*best));
  section.blocks.emplace_back(ranking_table(spec, analysis));
  section.blocks.emplace_back(Paragraph{meaning(Term::loss_area)});
  return section;
}

std::optional<Section> ranking_section(const SweepAnalysis& analysis) {
  RankChart chart{.value_title = "mean loss over time", .bars = {}, .better = Better::lower};
  for (const SweepPoint& point : analysis.ranked) {
    const bool drawn = is_drawable(point, analysis);
    // Before the settings, because long names are cut at their end.
    std::string name = drawn ? "" : is_ranked(point) ? "far off: " : point.given_up ? "given up: " : "no loss: ";
    name += point.name;
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
                      study::CurveAxis axis) {
  // More threads than cores take longer, and learn the same.
  const bool over_time = axis == study::CurveAxis::seconds;
  LineChart chart{.x = {.title = x_title, .from_zero = true, .categories = {}},
                  .y = {.title = "training loss", .categories = {}},
                  .series = {}};
  for (const SweepPoint& point : analysis.ranked) {
    if (chart.series.size() == kMostCurves || !is_ranked(point)) break;
    const study::StudyRun* const run = first_counted(results, point.point);
    if (run == nullptr) continue;
    const bool is_doubtful = over_time && point.oversubscribed;
    if (is_doubtful) chart.hollow_means = kOversubscribedMeans;
    Series& line = chart.series.emplace_back();
    line.name = point.name;
    for (const study::LossPoint& seen : study::smoothed(study::loss_curve(*run->measures, axis), kMostMarks)) {
      line.points.push_back({.x = seen.at, .y = seen.loss, .low = {}, .high = {}, .hollow = is_doubtful});
    }
  }
  return chart;
}

std::optional<Section> curves_section(const StudyResults& results, const SweepAnalysis& analysis) {
  LineChart seconds = curves_over(results, analysis, "seconds since the start of training", study::CurveAxis::seconds);
  LineChart samples = curves_over(results, analysis, "samples trained on", study::CurveAxis::samples);
  if (seconds.series.empty()) return std::nullopt;
  const std::string which = fmt::format(
      "Training loss of the steps from the start on{}; where there are more than {} each mark is the mean of as many "
      "successive ones, in the middle of them. The first run of each of the best {}.",
      analysis.by_steps ? "" : ", or of the epochs of a run without them", kMostMarks,
      count_text(static_cast<std::int64_t>(seconds.series.size()), "points"));
  Section section{.id = "curves", .title = "Loss curves", .blocks = {}};
  section.blocks.emplace_back(make_figure("loss-over-time", "Loss over time", which, std::move(seconds)));
  section.blocks.emplace_back(make_figure("loss-over-samples", "Loss over samples", which, std::move(samples)));
  return section;
}

}  // namespace

std::vector<Section> sweep_sections(const study::StudyAnalysis& study) {
  const auto& analysis = std::get<SweepAnalysis>(study.of_kind);
  const StudyResults& results = study.results;
  SectionList sections;
  sections.add(summary_of(results.spec, analysis));
  sections.add(ranking_section(analysis), "the chart of the ranking, since no point has a finite loss");
  sections.add(sweep_maps_section(results.spec, analysis),
               "maps over two settings, since fewer than two vary or no point has a finite loss");
  sections.add(curves_section(results, analysis), "loss curves, since no point has a finite loss");
  return sections.take();
}

std::vector<Term> sweep_terms(const StudyResults& results) {
  std::vector<Term> terms = {Term::loss_area};
  if (results.spec.halving) terms.push_back(Term::given_up);
  terms.push_back(Term::final_accuracy);
  return terms;
}

}  // namespace convoy::report
