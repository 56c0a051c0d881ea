#include "convoy/report/study/kind_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "convoy/base/number_text.h"
#include "convoy/report/document.h"
#include "convoy/report/figure.h"
#include "convoy/report/glossary.h"
#include "convoy/report/measured_values.h"
#include "convoy/report/study/scale_parts.h"
#include "convoy/report/study/scale_points.h"
#include "convoy/report/study/study_subject.h"
#include "convoy/report/study/time_shares.h"
#include "convoy/study/analysis/scale_analysis.h"

namespace convoy::report {
namespace {

using study::AllReduceChoice;
using study::MeasuredAllReduce;
using Choices = std::vector<AllReduceChoice>;

Bar& bar_of(BarChart& chart, const std::string& name, std::size_t group) {
  auto series = std::ranges::find(chart.series, name, &BarSeries::name);
  if (series == chart.series.end()) {
    series = chart.series.insert(chart.series.end(), {.name = name, .bars = {}});
  }
  if (series->bars.size() <= group) series->bars.resize(group + 1);
  return series->bars[group];
}

BarChart bars_of(const Choices& choices, const std::string& size_key) {
  BarChart chart{.group_title = size_key, .value_title = "throughput (samples/s)", .groups = {}, .series = {}};
  for (const AllReduceChoice& choice : choices) {
    chart.groups.push_back(fmt::format("{}", choice.size));
    if (choice.oversubscribed) chart.hollow_means = kOversubscribedMeans;
    // Sorted by name, so that colours do not depend on which one won.
    std::vector<MeasuredAllReduce> measured = choice.measured;
    std::ranges::sort(measured, {}, &MeasuredAllReduce::name);
    for (const MeasuredAllReduce& each : measured) {
      bar_of(chart, each.name, chart.groups.size() - 1) =
          summary_bar(each.throughput, {.hollow = choice.oversubscribed});
    }
  }
  return chart;
}

std::string lead_cell(const AllReduceChoice& choice) {
  if (!choice.is_repeated()) return "-";
  return fmt::format("{} to {}", significant_text(choice.lead.value - choice.lead.half_width_95),
                     significant_text(choice.lead.value + choice.lead.half_width_95));
}

std::string decided_cell(const AllReduceChoice& choice) {
  if (!choice.is_repeated()) return "not known: measured once";
  return choice.is_decided() ? "yes" : "no";
}

Table table_of(const Choices& choices, const std::string& size_key) {
  Table table{.id = "all-reduce-lead",
              .caption = "The fastest all-reduce and its lead over the second",
              .header = {"scaling", size_key, "fastest", "samples/s", "second", "its samples/s", "lead (samples/s)",
                         "95 % interval", "more than the spread?", "remarks"},
              .rows = {}};
  for (const AllReduceChoice& choice : choices) {
    table.add_row(
        {choice.circumstances.empty() ? "all" : choice.circumstances, fmt::format("{}", choice.size),
         choice.measured[0].name, significant_text(choice.measured[0].throughput.mean), choice.measured[1].name,
         significant_text(choice.measured[1].throughput.mean), significant_text(choice.lead.value), lead_cell(choice),
         decided_cell(choice), choice.oversubscribed ? "oversubscribed" : ""},
        choice.oversubscribed ? RowMark::doubtful : RowMark::none);
  }
  return table;
}

// No value if only one all-reduce was measured.
std::optional<Section> all_reduce_section(const study::ScaleAnalysis& analysis) {
  const Choices& choices = analysis.all_reduces;
  if (choices.empty()) return std::nullopt;
  Section section{.id = "all-reduce", .title = "All-reduce", .blocks = {}};
  std::map<std::string, Choices> groups;
  for (const AllReduceChoice& choice : choices) groups[choice.circumstances].push_back(choice);
  for (const auto& [circumstances, group] : groups) {
    const std::string number = groups.size() == 1 ? "" : fmt::format("-{}", section.blocks.size() + 1);
    const std::string which = circumstances.empty() ? "" : fmt::format(" ({})", circumstances);
    section.blocks.emplace_back(make_figure("all-reduce" + number, "Throughput by all-reduce" + which,
                                            meanings({Term::throughput, Term::interval}),
                                            bars_of(group, analysis.size_key)));
  }
  section.blocks.emplace_back(table_of(choices, analysis.size_key));
  section.blocks.emplace_back(
      Paragraph{"The interval is Welch's of the difference of two means. One that holds zero decides nothing: more "
                "repeats may, or the two are as good as each other."});
  return section;
}

using study::PointStatistics;
using study::ScaleAnalysis;

using GetSummary = const MaybeSummary& (*)(const PointStatistics&);

const MaybeSummary& over_runs(const PointStatistics& seen) { return seen.throughput; }
const MaybeSummary& over_epochs(const PointStatistics& seen) { return seen.epoch_throughput; }

// Without rows if no point has several values: a single one has no spread.
Table spread_table(const ScaleAnalysis& analysis, std::string id, std::string caption, GetSummary get) {
  Table table{.id = std::move(id),
              .caption = std::move(caption),
              .header = {"point", "values", "median", "mean", "deviation", "CV (%)", "95 % interval", "by (freedom)",
                         "smallest", "largest"},
              .rows = {}};
  const auto has_several = [&](const ListedPoint& listed) {
    const MaybeSummary& summary = get(listed.point->statistics);
    return summary && summary->count > 1;
  };
  if (std::ranges::none_of(listed_points(analysis), has_several)) return table;
  for (const ListedPoint& listed : listed_points(analysis)) {
    const MaybeSummary& summary = get(listed.point->statistics);
    if (!summary) continue;
    table.add_row({point_name(analysis, listed), fmt::format("{}", summary->count), median_cell(summary),
                   mean_cell(summary), deviation_cell(summary), cv_cell(summary), interval_cell(summary),
                   basis_cell(summary), number_cell(summary->minimum), number_cell(summary->maximum)},
                  mark_of(listed.point->statistics, listed.point->oversubscribed));
  }
  return table;
}

bool has_lines(const ListedPoint& listed) { return listed.point->statistics.line_throughput.has_value(); }

// No value if nothing was measured more than once.
std::optional<Section> spread_section(const ScaleAnalysis& analysis) {
  Table runs = spread_table(analysis, "spread-runs", "Throughput (samples/s) over runs", over_runs);
  Table epochs = spread_table(analysis, "spread-epochs", "Throughput (samples/s) over the counted epochs of all runs",
                              over_epochs);
  if (runs.rows.empty() && epochs.rows.empty()) return std::nullopt;
  Section section{.id = "spread", .title = "Spread", .blocks = {}};
  section.blocks.emplace_back(Paragraph{meanings({Term::spread, Term::interval})});
  std::ranges::move(cv_figures(analysis), std::back_inserter(section.blocks));
  if (!runs.rows.empty()) section.blocks.emplace_back(std::move(runs));
  if (!epochs.rows.empty()) {
    section.blocks.emplace_back(std::move(epochs));
    section.blocks.emplace_back(
        Paragraph{"Epochs of a run follow each other on the same machine, so the interval over epochs is narrower than "
                  "the truth; the one over runs is what other tables show."});
  }
  return section;
}

// Throughput by the slowest worker beside that by lines; no value if no log has lines of several workers.
std::optional<Section> readings_section(const ScaleAnalysis& analysis) {
  const std::vector<ListedPoint> points = listed_points(analysis);
  if (std::ranges::none_of(points, has_lines)) return std::nullopt;
  Table table{.id = "readings",
              .caption = "Two readings of the same logs (samples/s)",
              .header = {"point", "slowest worker: mean of epochs", "CV over epochs (%)", "mean over lines",
                         "median over lines", "deviation", "CV over lines (%)", "95 % interval", "lines",
                         "lines over slowest, within epochs (%)"},
              .rows = {}};
  for (const ListedPoint& listed : points) {
    const PointStatistics& seen = listed.point->statistics;
    if (!seen.line_throughput || !seen.epoch_throughput) continue;
    table.add_row({point_name(analysis, listed), mean_cell(seen.epoch_throughput), cv_cell(seen.epoch_throughput),
                   mean_cell(seen.line_throughput), median_cell(seen.line_throughput),
                   deviation_cell(seen.line_throughput), cv_cell(seen.line_throughput),
                   interval_cell(seen.line_throughput), fmt::format("{}", seen.line_throughput->count),
                   percent_cell(seen.line_excess)});
  }
  Section section{.id = "readings", .title = "Two readings of a log", .blocks = {}};
  section.blocks.emplace_back(Paragraph{meanings({Term::line_throughput})});
  section.blocks.emplace_back(std::move(table));
  return section;
}

std::string why_no_throughput(const study::ScaleAnalysis& analysis) {
  const bool any_size = std::ranges::any_of(
      analysis.series, [](const auto& series) { return !series.points.empty() && series.points.back().size > 0; });
  return any_size ? "throughput and its spread, since no run has an epoch after the skipped ones"
                  : "throughput over " + analysis.size_key + ", since no log says how many there were";
}

bool any_lines(const study::StudyResults& results) {
  return std::ranges::any_of(results.points, [](const study::PointResult& point) {
    return std::ranges::any_of(
        point.runs, [](const study::StudyRun& run) { return run.measures && !run.measures->line_throughputs.empty(); });
  });
}

void add_law_terms(std::vector<Term>& terms, const study::StudyResults& results) {
  terms.insert(terms.end(), {Term::amdahl, Term::universal, Term::cpu_use});
  if (any_lines(results)) terms.push_back(Term::line_throughput);
}

}  // namespace

std::vector<Section> scale_sections(const study::StudyAnalysis& study) {
  const auto& analysis = std::get<study::ScaleAnalysis>(study.of_kind);
  const study::StudyResults& results = study.results;
  const bool imported = study::kind_row(results.spec.kind).imported;
  SectionList sections;
  sections.add(scale_summary(analysis, results.spec));
  sections.add(pay_off_section(analysis), "");
  sections.add(throughput_section(analysis), why_no_throughput(analysis));
  sections.add(readings_section(analysis), "");
  sections.add(speed_up_section(analysis), "");
  sections.add(efficiency_section(analysis), "");
  sections.add(all_reduce_section(analysis), "");
  sections.add(time_section(analysis), "turnaround and step time, which imported logs do not tell");
  sections.add(cost_section(analysis, results.spec.currency),
               imported                 ? "cost, since the turnaround of imported runs is not known"
               : results.spec.price > 0 ? "cost, since no run ended well"
                                        : "cost, since no `--price` of a worker-hour was given");
  sections.add(time_shares_section(analysis), imported ? "where the time goes, since imported logs do not tell"
                                                       : "where the time goes, since no run recorded its steps");
  sections.add(laws_section(analysis), "");
  sections.add(spread_section(analysis), "");
  sections.add(cpu_use_section(results, analysis), "CPU use over time, which no record tells");
  return sections.take();
}

std::vector<Term> scale_terms(const study::StudyResults& results) {
  const std::vector<std::string> kinds = values_of(results, "scaling");
  const bool weak = std::ranges::find(kinds, "weak") != kinds.end();
  const bool strong = kinds.empty() || std::ranges::find(kinds, "strong") != kinds.end();
  std::vector<Term> terms = {Term::speed_up, Term::efficiency, Term::pay_off};
  if (strong) terms.push_back(Term::strong_scaling);
  if (weak) terms.insert(terms.end(), {Term::weak_scaling, Term::time_efficiency});
  terms.insert(terms.end(), {Term::turnaround, Term::step_time, Term::step_increase, Term::shares, Term::free_network});
  add_law_terms(terms, results);
  return terms;
}

std::vector<Term> imported_terms(const study::StudyResults& results) {
  std::vector<Term> terms = {Term::speed_up, Term::efficiency, Term::pay_off};
  add_law_terms(terms, results);
  return terms;
}

}  // namespace convoy::report
