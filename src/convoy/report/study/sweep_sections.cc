#include "convoy/report/study/kind_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "convoy/base/number_text.h"
#include "convoy/base/statistics.h"
#include "convoy/report/document.h"
#include "convoy/report/glossary.h"
#include "convoy/report/study/converge_parts.h"
#include "convoy/report/study/sweep_parts.h"
#include "convoy/report/words.h"

namespace convoy::report {
namespace {

using study::StudyResults;
using study::SweepAnalysis;
using study::SweepPoint;

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

// "3 points were given up early: ..."; also names those without a rank.
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
  section.blocks.emplace_back(Paragraph{meanings({Term::loss_area})});
  return section;
}

// One number of workers by itself: its ranking in words, as a table and as bars, and its curves.
Section workers_section(const StudyResults& results, const study::WorkersSweep& sweep) {
  const SweepPart part{.results = results,
                       .analysis = sweep.analysis,
                       .suffix = fmt::format("-workers-{}", sweep.workers),
                       .of = " with " + count_text(sweep.workers, "workers")};
  Section section{.id = fmt::format("workers-{}", sweep.workers),
                  .title = capitalized(count_text(sweep.workers, "workers")),
                  .blocks = {}};
  const bool any = !sweep.analysis.ranked.empty() && is_ranked(sweep.analysis.ranked.front());
  section.blocks.emplace_back(Paragraph{any ? winner_text(sweep.analysis) : sweep.analysis.lead.why_none});
  Table table = ranking_table(sweep.spec, sweep.analysis);
  table.id += part.suffix;
  section.blocks.emplace_back(std::move(table));
  if (auto bars = ranking_figure(part)) section.blocks.emplace_back(std::move(*bars));
  for (Figure& figure : curve_figures(part)) section.blocks.emplace_back(std::move(figure));
  return section;
}

void add_all_points(SectionList& sections, const SweepPart& part) {
  auto bars = ranking_figure(part);
  sections.add(
      bars ? std::optional(Section{.id = "ranking", .title = "Ranking", .blocks = {std::move(*bars)}}) : std::nullopt,
      "the chart of the ranking, since no point has a finite loss");
  Section curves{.id = "curves", .title = "Curves", .blocks = {}};
  for (Figure& figure : curve_figures(part)) curves.blocks.emplace_back(std::move(figure));
  sections.add(curves.blocks.empty() ? std::nullopt : std::optional(std::move(curves)),
               "loss curves, since no point has a finite loss");
}

}  // namespace

std::vector<Section> sweep_sections(const study::StudyAnalysis& study) {
  const auto& analysis = std::get<SweepAnalysis>(study.of_kind);
  const StudyResults& results = study.results;
  SectionList sections;
  sections.add(summary_of(results.spec, analysis));
  sections.add(retrained_section(results), "");
  sections.add(sweep_maps_section(results.spec, analysis),
               "maps over two settings, since fewer than two vary or no point has a finite loss");
  // Several numbers of workers would hide each other in one figure, and each has its own winner.
  for (const study::WorkersSweep& sweep : analysis.by_workers) sections.add(workers_section(results, sweep));
  if (analysis.by_workers.empty()) add_all_points(sections, {.results = results, .analysis = analysis});
  return sections.take();
}

std::vector<Term> sweep_terms(const StudyResults& results) {
  std::vector<Term> terms = {Term::loss_area};
  if (results.spec.halving) terms.push_back(Term::given_up);
  terms.push_back(Term::final_accuracy);
  return terms;
}

}  // namespace convoy::report
