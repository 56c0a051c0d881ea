// The kinds of studies, a row each. A new kind is a file with its analysis and a row here, and a file with its sections
// and a row in report/study/kind_reports.cc.
#pragma once

#include <string_view>
#include <variant>

#include "convoy/study/analysis/batch_analysis.h"
#include "convoy/study/analysis/converge_analysis.h"
#include "convoy/study/analysis/scale_analysis.h"
#include "convoy/study/analysis/sweep_analysis.h"
#include "convoy/study/plan/study_spec.h"
#include "convoy/study/run/study_results.h"

namespace convoy::study {

using KindAnalysis = std::variant<ScaleAnalysis, BatchAnalysis, SweepAnalysis, ConvergeAnalysis>;

struct KindRow {
  StudyKind kind;
  std::string_view name;                         // in study.json, and the sub-command that makes it
  std::string_view title;                        // of its report
  KindAnalysis (*analyse)(const StudyResults&);  // throws DataError where a point's numbers are none
  bool imported = false;      // of other systems' logs: nothing is planned or run, and what no log says is unknown
  bool resumable = false;     // a run that was stopped goes on from its checkpoint; throughput is measured in one go
  bool picks_points = false;  // may draw points from the grid, and give up those that look hopeless
  bool has_target = false;    // asks when an accuracy is stable, and when it reaches a target
};

[[nodiscard]] const KindRow& kind_row(StudyKind kind);

// Null when there is no such kind.
[[nodiscard]] const KindRow* kind_named(std::string_view name);

}  // namespace convoy::study
