// The report of one study, whatever its kind.
#pragma once

#include "convoy/report/document.h"
#include "convoy/study/analysis/study_analysis.h"

namespace convoy::report {

// The first section has the id "summary" and answers the study's question; the last is "measured". An incomplete study
// says so first. What is concluded is in the analysis; this puts it into words and figures.
[[nodiscard]] Document study_document(const study::StudyAnalysis& study);

}  // namespace convoy::report
