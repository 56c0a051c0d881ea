// What a report contains for each kind of study: one table, with a row for each kind in study/plan/study_spec.h.
#pragma once

#include <vector>

#include "convoy/report/document.h"
#include "convoy/report/glossary.h"
#include "convoy/study/analysis/study_analysis.h"
#include "convoy/study/run/study_results.h"

namespace convoy::report {

struct KindReport {
  study::StudyKind kind;
  // The sections, "summary" first. Sections without data are left out, and the summary says why. Needs at least one
  // point.
  std::vector<Section> (*sections)(const study::StudyAnalysis&);
  // The words that only this kind uses, in the order in which a reader meets them.
  std::vector<Term> (*terms)(const study::StudyResults&);
};

[[nodiscard]] const KindReport& kind_report(study::StudyKind kind);

// The words that a study's report uses, in the order in which a reader meets them.
[[nodiscard]] std::vector<Term> terms_of(const study::StudyResults& results);

}  // namespace convoy::report
