// What a convergence study found, in plain words.
#pragma once

#include <string>
#include <vector>

#include "convoy/study/analysis/converge_analysis.h"

namespace convoy::report {

// "; may be chance", "; a tie with 2 more": to stand behind the name of the point with the highest accuracy. Empty when
// it is the most accurate beyond doubt.
[[nodiscard]] std::string accuracy_doubt(const study::AccuracyLead& lead);

// Paragraphs: which point is most accurate, which is stable first, which reaches the target first, and what more
// workers do. Those that the data do not answer are left out.
[[nodiscard]] std::vector<std::string> converge_words(const study::StudySpec& spec,
                                                      const study::ConvergeAnalysis& analysis);

}  // namespace convoy::report
