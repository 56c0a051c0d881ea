// The sections of the report for each kind of study, and the words that only they use.
#pragma once

#include <vector>

#include "convoy/report/document.h"
#include "convoy/report/glossary.h"
#include "convoy/study/analysis/study_analysis.h"

namespace convoy::report {

// "summary" first. Sections without data are left out, and the summary says why. Need at least one point.

// How throughput depends on the batch, and which batch to use.
[[nodiscard]] std::vector<Section> batch_sections(const study::StudyAnalysis& study);
// How accuracy grows, when it is stable, and how workers affect it.
[[nodiscard]] std::vector<Section> converge_sections(const study::StudyAnalysis& study);
// The same of imported runs whose main answer is about throughput.
[[nodiscard]] std::vector<Section> learned_sections(const study::StudySpec& spec,
                                                    const study::ConvergeAnalysis& analysis);
// For a scaling study and for imported runs.
[[nodiscard]] std::vector<Section> scale_sections(const study::StudyAnalysis& study);
// Which settings learn fastest.
[[nodiscard]] std::vector<Section> sweep_sections(const study::StudyAnalysis& study);

// The words that they use besides those of all studies, in the order in which a reader meets them.
[[nodiscard]] std::vector<Term> batch_terms(const study::StudyResults& results);
[[nodiscard]] std::vector<Term> converge_terms(const study::StudyResults& results);
[[nodiscard]] std::vector<Term> scale_terms(const study::StudyResults& results);
[[nodiscard]] std::vector<Term> imported_terms(const study::StudyResults& results);
[[nodiscard]] std::vector<Term> sweep_terms(const study::StudyResults& results);

}  // namespace convoy::report
