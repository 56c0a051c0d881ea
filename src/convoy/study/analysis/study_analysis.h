// Everything a study concludes: what its report shows and `--json` prints. Neither computes anything of its own, so
// they say the same.
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

// What has to be said before all else.
enum class WarningKind : std::uint8_t {
  incomplete,        // runs are missing
  failed_runs,       // they count in no number
  unknown_settings,  // what the logs of an import do not say
  disturbed_runs,    // others used their cores
};

[[nodiscard]] std::string_view to_text(WarningKind kind);

struct StudyWarning {
  WarningKind kind = WarningKind::incomplete;
  std::string text;  // one or more sentences; commands between back quotes
};

// The answer of each kind of study; imported runs are answered by what varies (question_of).
using KindAnalysis = std::variant<ScaleAnalysis, BatchAnalysis, SweepAnalysis, ConvergeAnalysis>;

struct StudyAnalysis {
  StudyResults results;                     // that it rests on
  std::vector<PointStatistics> statistics;  // of results.points, in their order
  KindAnalysis of_kind;                     // the answer to the study's question
  std::vector<StudyWarning> warnings;       // by kind, each at most once
  std::vector<PublishedCheck> published;    // of an import: its published figures, checked
  std::optional<std::size_t> fastest;       // of results.points: on cores of its own, undisturbed
  std::vector<Prediction> predictions;      // for the sizes that were asked for
  std::optional<double> best_accuracy;      // of the last evaluation of any run that counts, a share
};

// `predicted_sizes` are numbers of workers (or threads) that were perhaps not run. Throws DataError where a point's
// numbers are none, and for published figures that cannot be read.
[[nodiscard]] StudyAnalysis analyse(StudyResults results, std::span<const std::int64_t> predicted_sizes = {});

}  // namespace convoy::study
