// The report of a scaling study, and of imported runs.
#pragma once

#include <vector>

#include "convoy/report/document.h"
#include "convoy/study/study_results.h"

namespace convoy::report {

// "summary" first. Sections without data are left out, and the summary says why. Needs at least one point.
[[nodiscard]] std::vector<Section> scale_sections(const study::StudyResults& results);

}  // namespace convoy::report
