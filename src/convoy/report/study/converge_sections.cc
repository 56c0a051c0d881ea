#include "convoy/report/study/kind_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "convoy/base/number_text.h"
#include "convoy/report/document.h"
#include "convoy/report/figure.h"
#include "convoy/report/glossary.h"
#include "convoy/report/measured_values.h"
#include "convoy/report/study/converge_parts.h"
#include "convoy/report/study/scale_points.h"
#include "convoy/report/study/study_subject.h"
#include "convoy/report/words.h"
#include "convoy/study/plan/price.h"

namespace convoy::report {
namespace {

using study::ConvergeAnalysis;
using study::ConvergePoint;

std::string accuracy_title(const ConvergeAnalysis& analysis) {
  return analysis.common_epoch ? fmt::format("accuracy at epoch {}", *analysis.common_epoch) : "final accuracy";
}

// Disturbed runs learn the same as others, so they count here.
std::int64_t runs_of(const ConvergePoint& point) { return std::ssize(point.accuracies.runs); }

// "3 of 3"
std::string runs_cell(std::int64_t some, const ConvergePoint& point) {
  return fmt::format("{} of {}", some, runs_of(point));
}

std::vector<std::string> accuracy_cells(const ConvergePoint& point) {
  return {study::point_text(point.point),
          fmt::format("{}", runs_of(point)),
          mean_cell(point.final_accuracy, kPercent),
          interval_cell(point.final_accuracy, kPercent, kPercent),
          deviation_cell(point.final_accuracy, kPercent),
          mean_cell(point.best_accuracy, kPercent)};
}

// Epochs are counted, so 4 and not 4.000.
std::string epochs_cell(const MaybeSummary& epochs) { return epochs ? short_text(epochs->mean) : "-"; }

Table table_of(const study::StudySpec& spec, const ConvergeAnalysis& analysis) {
  Table table{.id = "points",
              .caption = "All points: means over runs, whose seeds differ",
              .header = {"point", "runs", accuracy_title(analysis) + " (%)", "95 % interval", "deviation (points)",
                         "best (%)", "epochs to stable", "seconds to stable", "runs that became stable"},
              .rows = {},
              .details = {"deviation (points)", "best (%)", "runs that became stable", "runs that did"}};
  const bool has_target = spec.target_accuracy > 0;
  if (has_target) table.header.insert(table.header.end(), {"seconds to target", "epochs to target", "runs that did"});
  table.header.insert(table.header.end(), {"samples/s", "remarks"});
  for (const ConvergePoint& point : analysis.points) {
    std::vector<std::string> cells = accuracy_cells(point);
    cells.insert(cells.end(), {epochs_cell(point.stable_epochs), mean_cell(point.stable_seconds),
                               runs_cell(point.stable_runs, point)});
    if (has_target) {
      cells.insert(cells.end(), {mean_cell(point.target_seconds), epochs_cell(point.target_epochs),
                                 runs_cell(point.target_runs, point)});
    }
    cells.insert(cells.end(),
                 {mean_cell(point.statistics.throughput), remark_of(point.statistics, point.oversubscribed)});
    table.add_row(std::move(cells), mark_of(point.statistics, point.oversubscribed));
  }
  return table;
}

// "512 (4 x 128)", "128"; "-" when it is not known.
std::string global_batch_cell(const ConvergePoint& point) {
  if (point.global_batch == 0) return "-";
  if (point.instances <= 1) return fmt::format("{}", point.global_batch);
  return fmt::format("{} ({} x {})", point.instances * point.global_batch, point.instances, point.global_batch);
}

// "seen in 1 of 3 runs"; runs without a verdict do not count.
std::string overfitting_cell(const ConvergePoint& point) {
  if (point.judged_runs == 0) return "unknown";
  if (point.overfitted_runs == 0) return "not seen";
  return fmt::format("seen in {} of {}", point.overfitted_runs, count_text(point.judged_runs, "runs"));
}

Table learning_table(const study::StudySpec& spec, const ConvergeAnalysis& analysis) {
  Table table{.id = "learning",
              .caption = "Training against test data, batch and time: means over runs",
              .header = {"point", "train accuracy (%)", "test accuracy (%)", "test error (%)", "gap (points)",
                         "overfitting", "global batch", "effective lr", "epoch (s)", "total (s)", "run time (s)"},
              .rows = {}};
  if (spec.price > 0) table.header.push_back(fmt::format("cost ({})", study::unit_of(spec.currency)));
  const auto sends = [](const ConvergePoint& point) { return point.wire_bytes.has_value(); };
  const bool has_bytes = std::ranges::any_of(analysis.points, sends);
  if (has_bytes) table.header.emplace_back("between machines (MB)");
  for (const ConvergePoint& point : analysis.points) {
    const auto error = point.final_accuracy ? std::optional(1 - point.final_accuracy->mean) : std::nullopt;
    std::vector<std::string> cells = {study::point_text(point.point),
                                      mean_cell(point.train_accuracy, kPercent),
                                      mean_cell(point.final_accuracy, kPercent),
                                      percent_cell(error),
                                      point.gap ? fmt::format("{:.1f}", kPercent * *point.gap) : "-",
                                      overfitting_cell(point),
                                      global_batch_cell(point),
                                      rate_cell(point.statistics.learning_rate),
                                      mean_cell(point.epoch_seconds),
                                      mean_cell(point.total_seconds),
                                      mean_cell(point.statistics.turnaround_seconds)};
    if (spec.price > 0) cells.push_back(number_cell(point.statistics.cost));
    if (has_bytes) cells.push_back(mean_cell(point.wire_bytes, 1e-6));
    table.add_row(std::move(cells), mark_of(point.statistics, point.oversubscribed));
  }
  return table;
}

// Whether a point is judged by what it learned or by its times, which are doubtful if it was oversubscribed or
// disturbed.
enum class Goes : std::uint8_t { by_learning, by_time };

std::string names_at(const ConvergeAnalysis& analysis, const std::vector<std::size_t>& indices) {
  std::vector<std::string> names;
  for (const std::size_t index : indices) names.push_back(converge_name(analysis.points[index]));
  return fmt::format("{}", fmt::join(names, "; "));
}

Highlights highlights_of(const study::StudySpec& spec, const ConvergeAnalysis& analysis) {
  Highlights highlights;
  if (analysis.lead) {
    const ConvergePoint& best = analysis.points[analysis.lead->best];
    const std::string doubt = accuracy_doubt(*analysis.lead);
    highlights.entries.push_back({(doubt.empty() ? "best " : "highest ") + accuracy_title(analysis),
                                  percent_text(best.final_accuracy->mean), converge_name(best) + doubt});
  }
  if (!analysis.stable_first.empty()) {
    const ConvergePoint& first = analysis.points[analysis.stable_first.front()];
    highlights.entries.push_back(
        {"stable first", "epoch " + short_text(first.stable_epochs->mean), names_at(analysis, analysis.stable_first)});
  }
  if (!analysis.target_first.empty()) {
    const ConvergePoint& first = analysis.points[analysis.target_first.front()];
    highlights.entries.push_back({"first at " + percent_text(spec.target_accuracy),
                                  short_text(first.target_seconds->mean) + " s",
                                  names_at(analysis, analysis.target_first)});
  }
  return highlights;
}

Section summary_of(const study::StudySpec& spec, const ConvergeAnalysis& analysis) {
  Section section{.id = "summary", .title = "Summary", .blocks = {}};
  Highlights highlights = highlights_of(spec, analysis);
  if (!highlights.entries.empty()) section.blocks.emplace_back(std::move(highlights));
  for (std::string& text : converge_words(spec, analysis)) section.blocks.emplace_back(Paragraph{std::move(text)});
  const auto is_repeated = [](const ConvergePoint& p) { return has_spread(p.final_accuracy); };
  if (std::ranges::none_of(analysis.points, is_repeated)) {
    section.blocks.emplace_back(
        Paragraph{"Each point was run once, so nothing is known of the spread over seeds: `-` stands for it."});
  }
  if (std::ranges::any_of(analysis.points, &ConvergePoint::oversubscribed)) {
    section.blocks.emplace_back(Notice{.kind = Notice::Kind::warning,
                                       .title = "Oversubscribed points",
                                       .text = "Points with more threads than cores are marked, and drawn hollow over "
                                               "time: their times are doubtful, their accuracies are not."});
  }
  section.blocks.emplace_back(table_of(spec, analysis));
  section.blocks.emplace_back(Paragraph{meanings({Term::stable_accuracy})});
  section.blocks.emplace_back(learning_table(spec, analysis));
  section.blocks.emplace_back(Paragraph{meanings({Term::gap, Term::overfitting})});
  return section;
}

// One bar per point: the mean over runs, with its interval.
template <typename Get>
std::optional<Figure> rank_figure(const ConvergeAnalysis& analysis, const std::string& id, const std::string& title,
                                  const std::string& value_title, Better better, Term term, double scale, Goes goes,
                                  Get get) {
  RankChart chart{.value_title = value_title, .bars = {}, .better = better};
  const double most = scale == kPercent ? kPercent : std::numeric_limits<double>::infinity();
  for (const ConvergePoint& point : analysis.points) {
    if (!get(point)) continue;
    const bool is_doubtful = goes == Goes::by_time && point.has_doubtful_times();
    chart.bars.push_back(
        {converge_name(point), summary_bar(*get(point), {.hollow = is_doubtful, .scale = scale, .most = most})});
    if (is_doubtful) chart.hollow_means = times_hollow_text(analysis);
  }
  if (chart.bars.empty()) return std::nullopt;
  return make_figure(id, title, meanings({term, Term::interval}), std::move(chart));
}

std::optional<Section> moments_section(const ConvergeAnalysis& analysis) {
  Section section{.id = "moments", .title = "When it is good", .blocks = {}};
  const auto add = [&](std::optional<Figure> figure) {
    if (figure) section.blocks.emplace_back(std::move(*figure));
  };
  add(rank_figure(analysis, "final-accuracy", "Final accuracy", "test accuracy (%)", Better::higher,
                  Term::final_accuracy, kPercent, Goes::by_learning,
                  [](const ConvergePoint& p) { return p.final_accuracy; }));
  add(rank_figure(analysis, "stable-epochs", "Epochs to stable accuracy", "epochs", Better::lower,
                  Term::stable_accuracy, 1, Goes::by_learning, [](const ConvergePoint& p) { return p.stable_epochs; }));
  add(rank_figure(analysis, "target-seconds", "Time to the target accuracy", "seconds", Better::lower,
                  Term::time_to_target, 1, Goes::by_time, [](const ConvergePoint& p) { return p.target_seconds; }));
  if (section.blocks.empty()) return std::nullopt;
  return section;
}

struct WorkersFigure {
  std::string id;
  std::string title;
  std::string y_title;
  std::string definition;
  double scale;
};

using PointSummary = MaybeSummary (*)(const ConvergePoint&);

// A quantity over the workers, with the line fitted to all runs.
std::optional<Figure> figure_over_workers(const ConvergeAnalysis& analysis, const WorkersFigure& words,
                                          const std::optional<study::WorkerTrend>& trend, PointSummary get) {
  if (!trend) return std::nullopt;
  LineChart chart{.x = {.title = "workers", .scale = AxisScale::log2, .categories = {}},
                  .y = {.title = words.y_title, .categories = {}},
                  .series = {}};
  Series line{.name = "trend", .points = {}, .dashed = true};
  for (const ConvergePoint& point : analysis.points) {
    if (!get(point) || point.workers == 0) continue;
    study::Point rest = point.point;
    rest.erase("workers");
    const std::string name = rest.empty() ? "measured" : study::point_text(rest);
    auto series = std::ranges::find(chart.series, name, &Series::name);
    if (series == chart.series.end()) {
      series = chart.series.insert(chart.series.end(), Series{.name = name, .points = {}});
    }
    const auto x = static_cast<double>(point.workers);
    const double most = words.scale == kPercent ? kPercent : std::numeric_limits<double>::infinity();
    series->points.push_back(summary_point(x, *get(point), {.scale = words.scale, .most = most}));
    line.points.push_back({.x = x, .y = words.scale * trend->at(point.workers).value, .low = {}, .high = {}});
  }
  chart.series.push_back(std::move(line));
  return make_figure(words.id, words.title, words.definition + " " + meanings({Term::trend, Term::interval}),
                     std::move(chart));
}

std::optional<Section> workers_section(const ConvergeAnalysis& analysis) {
  Section section{.id = "over-workers", .title = "Accuracy against workers", .blocks = {}};
  const auto add = [&](std::optional<Figure> figure) {
    if (figure) section.blocks.emplace_back(std::move(*figure));
  };
  add(figure_over_workers(
      analysis,
      {"accuracy-workers", "Final accuracy over workers", "test accuracy (%)", meaning(Term::final_accuracy), kPercent},
      analysis.accuracy_trend, [](const ConvergePoint& p) { return p.final_accuracy; }));
  add(figure_over_workers(analysis,
                          {"stable-level-workers", "Stable accuracy over workers", "stable test accuracy (%)",
                           meaning(Term::stable_accuracy), kPercent},
                          analysis.level_trend, [](const ConvergePoint& p) { return p.stable_level; }));
  add(figure_over_workers(
      analysis,
      {"stable-epochs-workers", "Epochs to stable accuracy over workers", "epochs", meaning(Term::stable_accuracy), 1},
      analysis.stable_trend, [](const ConvergePoint& p) { return p.stable_epochs; }));
  if (section.blocks.empty()) return std::nullopt;
  return section;
}

}  // namespace

std::vector<Section> converge_sections(const study::StudyAnalysis& study) {
  const auto& analysis = std::get<ConvergeAnalysis>(study.of_kind);
  SectionList sections;
  sections.add(summary_of(study.results.spec, analysis));
  sections.add(accuracy_section(analysis), "accuracy, since no epoch was evaluated in all runs of a point");
  sections.add(error_section(analysis), "");
  sections.add(loss_section(analysis), "loss, since no evaluated epoch has a finite one");
  sections.add(workers_section(analysis), "");
  sections.add(moments_section(analysis), "");
  return sections.take();
}

std::vector<Section> learned_sections(const study::StudySpec& spec, const ConvergeAnalysis& analysis) {
  SectionList sections;
  Section learned{.id = "learned", .title = "What was learned", .blocks = {}};
  for (std::string& text : converge_words(spec, analysis)) learned.blocks.emplace_back(Paragraph{std::move(text)});
  learned.blocks.emplace_back(learning_table(spec, analysis));
  learned.blocks.emplace_back(Paragraph{meanings({Term::gap, Term::overfitting})});
  sections.add(std::move(learned));
  sections.add(accuracy_section(analysis), "");
  sections.add(error_section(analysis), "");
  sections.add(loss_section(analysis), "");
  return sections.take();
}

std::vector<Term> converge_terms(const study::StudyResults& results) {
  std::vector<Term> terms = {Term::final_accuracy, Term::test_error,   Term::stable_accuracy, Term::gap,
                             Term::overfitting,    Term::global_batch, Term::epoch_time};
  if (results.spec.target_accuracy > 0) terms.push_back(Term::time_to_target);
  if (values_of(results, "workers").size() > 1) terms.push_back(Term::trend);
  return terms;
}

}  // namespace convoy::report
