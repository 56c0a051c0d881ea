#include "convoy/study/analysis/study_analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "convoy/base/check.h"
#include "convoy/study/analysis/imported_study.h"

namespace convoy::study {
namespace {

struct AnalysisRow {
  StudyKind kind;
  KindAnalysis (*analyse)(const StudyResults&);  // throws DataError if a point's values are not numbers
};

template <auto analyse_kind>
KindAnalysis analyse_as(const StudyResults& results) {
  return analyse_kind(results);
}

constexpr std::array kAnalyses = {
    AnalysisRow{.kind = StudyKind::scale, .analyse = analyse_as<analyse_scaling>},
    AnalysisRow{.kind = StudyKind::batch, .analyse = analyse_as<analyse_batches>},
    AnalysisRow{.kind = StudyKind::sweep, .analyse = analyse_as<analyse_sweep>},
    AnalysisRow{.kind = StudyKind::converge, .analyse = analyse_as<analyse_convergence>},
    AnalysisRow{.kind = StudyKind::imported, .analyse = analyse_as<analyse_scaling>},
};

KindAnalysis analyse_by_kind(const StudyResults& results) {
  const auto* const row = std::ranges::find(kAnalyses, question_of(results), &AnalysisRow::kind);
  CONVOY_CHECK(row != kAnalyses.end());
  return row->analyse(results);
}

std::vector<StudyWarning> warnings_of(const StudyResults& results) {
  std::vector<StudyWarning> warnings;
  if (results.ended_runs < results.planned_runs) {
    warnings.push_back(
        {WarningKind::incomplete, fmt::format("{} of {} runs have ended.", results.ended_runs, results.planned_runs)});
  }
  if (results.failed_runs > 0) {
    warnings.push_back({WarningKind::failed_runs, fmt::format("{} of {} runs failed and count in no number.",
                                                              results.failed_runs, results.ended_runs)});
  }
  if (const std::vector<std::string> unknown = unknown_remarks(results); !unknown.empty()) {
    warnings.push_back({WarningKind::unknown_settings, fmt::format("{}", fmt::join(unknown, " "))});
  }
  if (results.disturbed_runs > 0) {
    warnings.push_back({WarningKind::disturbed_runs,
                        fmt::format("Others used the cores during {} {}; nothing is concluded from points that have no "
                                    "other run.",
                                    results.disturbed_runs, results.disturbed_runs == 1 ? "run" : "runs")});
  }
  return warnings;
}

std::optional<std::size_t> fastest_point(const StudyAnalysis& analysis) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < analysis.statistics.size(); ++i) {
    const PointStatistics& seen = analysis.statistics[i];
    if (analysis.results.points[i].oversubscribed || seen.rests_on_disturbed || !seen.throughput) continue;
    if (!best || seen.throughput->mean > analysis.statistics[*best].throughput->mean) best = i;
  }
  return best;
}

std::optional<double> best_last_accuracy(const StudyResults& results) {
  std::optional<double> best;
  for (const PointResult& point : results.points) {
    for (const StudyRun& run : point.runs) {
      if (!run.counts() || run.measures->curve.empty()) continue;
      const std::optional<double>& accuracy = run.measures->curve.back().test_top1;
      if (accuracy && (!best || *accuracy > *best)) best = accuracy;
    }
  }
  return best;
}

std::vector<Prediction> predictions_of(const StudyAnalysis& analysis, std::span<const std::int64_t> sizes) {
  if (sizes.empty()) return {};
  const auto* const scale = std::get_if<ScaleAnalysis>(&analysis.of_kind);
  std::vector<Prediction> all =
      predict_scaling(analysis.results, scale != nullptr ? *scale : analyse_scaling(analysis.results), sizes);
  if (const auto* const converge = std::get_if<ConvergeAnalysis>(&analysis.of_kind)) {
    std::ranges::move(predict_convergence(*converge, sizes), std::back_inserter(all));
  }
  return all;
}

}  // namespace

std::string_view to_text(WarningKind kind) {
  switch (kind) {
    case WarningKind::incomplete:
      return "incomplete";
    case WarningKind::failed_runs:
      return "failed runs";
    case WarningKind::unknown_settings:
      return "unknown settings";
    case WarningKind::disturbed_runs:
      return "disturbed runs";
  }
  return "";
}

StudyAnalysis analyse(StudyResults results, std::span<const std::int64_t> predicted_sizes) {
  StudyAnalysis analysis{.results = std::move(results),
                         .statistics = {},
                         .of_kind = {},
                         .warnings = {},
                         .published = {},
                         .fastest = {},
                         .predictions = {},
                         .learned = {},
                         .best_accuracy = {}};
  const StudyResults& kept = analysis.results;
  for (const PointResult& point : kept.points) analysis.statistics.push_back(statistics_of(kept, point));
  analysis.of_kind = analyse_by_kind(kept);
  analysis.warnings = warnings_of(kept);
  analysis.published = check_published(kept);
  analysis.fastest = fastest_point(analysis);
  analysis.best_accuracy = best_last_accuracy(kept);
  const bool tells_learning = !std::holds_alternative<ConvergeAnalysis>(analysis.of_kind) && analysis.best_accuracy;
  if (kind_row(kept.spec.kind).imported && tells_learning) analysis.learned = analyse_convergence(kept);
  analysis.predictions =
      predictions_of(analysis, predicted_sizes.empty() ? kept.spec.predicted_sizes : predicted_sizes);
  return analysis;
}

}  // namespace convoy::study
