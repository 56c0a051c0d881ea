// The report of a batch study: how throughput depends on the batch, and which one to take.
#pragma once

#include <vector>

#include "convoy/report/document.h"
#include "convoy/study/study_results.h"

namespace convoy::report {

// "summary" first. Sections without data are left out, and the summary says why. Needs at least one point.
[[nodiscard]] std::vector<Section> batch_sections(const study::StudyResults& results);

}  // namespace convoy::report
