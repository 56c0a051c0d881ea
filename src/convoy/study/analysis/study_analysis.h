// Everything that a study concludes: what its report shows and `--json` prints. Neither of them computes anything
// itself, so they always agree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "convoy/study/analysis/batch_analysis.h"
#include "convoy/study/analysis/converge_analysis.h"
#include "convoy/study/analysis/prediction.h"
#include "convoy/study/analysis/published.h"
#include "convoy/study/analysis/scale_analysis.h"
#include "convoy/study/analysis/sweep_analysis.h"
#include "convoy/study/run/study_results.h"

namespace convoy::study {

// What must be said before everything else.
enum class WarningKind : std::uint8_t {
  incomplete,        // runs are missing
  failed_runs,       // they are not part of any number
  unknown_settings,  // settings that the logs of an import do not say
  disturbed_runs,    // others used their cores
};

[[nodiscard]] std::string_view to_text(WarningKind kind);

struct StudyWarning {
  WarningKind kind = WarningKind::incomplete;
  std::string text;  // one or more sentences; commands are in back quotes
};

// The answer of each kind of study; for imported runs the kind depends on what varies (question_of).
using KindAnalysis = std::variant<ScaleAnalysis, BatchAnalysis, SweepAnalysis, ConvergeAnalysis>;

struct StudyAnalysis {
  StudyResults results;                     // what it is based on
  std::vector<PointStatistics> statistics;  // one for each of results.points
  KindAnalysis of_kind;                     // the answer to the study's question
  std::vector<StudyWarning> warnings;       // at most one of each kind
  std::vector<PublishedCheck> published;    // for an import: its published figures, checked
  // Index in results.points; only points that were undisturbed and on cores of their own.
  std::optional<std::size_t> fastest;
  std::vector<Prediction> predictions;      // for the sizes that were asked for
  std::optional<ConvergeAnalysis> learned;  // for an import whose answer is about throughput: what its accuracies say
  std::optional<double> best_accuracy;      // at the last evaluation of any run that counts, as a share
};

// `predicted_sizes` are numbers of workers (or threads) that need not have been run. Throws DataError if a point's
// values are not numbers, and for published figures that cannot be read.
[[nodiscard]] StudyAnalysis analyse(StudyResults results, std::span<const std::int64_t> predicted_sizes = {});

}  // namespace convoy::study
