// The report on one run, or on several side by side.
#pragma once

#include <vector>

#include "convoy/record/run_record.h"
#include "convoy/report/document.h"
#include "convoy/study/analysis/study_analysis.h"

namespace convoy::report {

// Needs at least one run. Runs that were cut short, diverged or have no epoch are marked and stay in the table; there
// are warnings about runs that cannot be compared (different models or data). The first section is "summary".
[[nodiscard]] Document runs_document(const std::vector<RunRecord>& runs);

// Single runs together with studies, such as a baseline and what was tried: first in the same figures, then each by
// itself. Needs at least one of both.
[[nodiscard]] Document runs_and_studies_document(const std::vector<RunRecord>& runs,
                                                 const std::vector<study::StudyAnalysis>& studies);

}  // namespace convoy::report
