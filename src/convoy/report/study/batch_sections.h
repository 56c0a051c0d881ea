// The report of a batch study: how throughput depends on the batch, and which one to take.
#pragma once

#include <vector>

#include "convoy/report/document.h"
#include "convoy/report/glossary.h"
#include "convoy/study/analysis/study_analysis.h"

namespace convoy::report {

// "summary" first. Sections without data are left out, and the summary says why. Needs at least one point.
[[nodiscard]] std::vector<Section> batch_sections(const study::StudyAnalysis& study);

// The words that it uses beside those of all studies, in the order in which a reader meets them.
[[nodiscard]] std::vector<Term> batch_terms(const study::StudyResults& results);

}  // namespace convoy::report
