// Several studies in one report.
#pragma once

#include <vector>

#include "convoy/report/document.h"
#include "convoy/study/analysis/study_analysis.h"

namespace convoy::report {

// Needs at least two studies. The first section, "summary", sets them beside each other and warns of what must not be
// compared; then come the sections of each, with ids that begin with "s1-", "s2-", ...
[[nodiscard]] Document comparison_document(const std::vector<study::StudyAnalysis>& studies);

}  // namespace convoy::report
