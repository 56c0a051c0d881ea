// The report of a scaling study, and of imported runs.
#pragma once

#include <vector>

#include "convoy/report/document.h"
#include "convoy/report/glossary.h"
#include "convoy/study/analysis/study_analysis.h"

namespace convoy::report {

// "summary" first. Sections without data are left out, and the summary says why. Needs at least one point.
[[nodiscard]] std::vector<Section> scale_sections(const study::StudyAnalysis& study);

// The words that it uses beside those of all studies, in the order in which a reader meets them.
[[nodiscard]] std::vector<Term> scale_terms(const study::StudyResults& results);
[[nodiscard]] std::vector<Term> imported_terms(const study::StudyResults& results);

}  // namespace convoy::report
