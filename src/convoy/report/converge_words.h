// What a convergence study found, in plain words.
#pragma once

#include <string>
#include <vector>

#include "convoy/study/converge_analysis.h"

namespace convoy::report {

// Paragraphs: which point is most accurate, which is stable first, which reaches the target first, and what more
// workers do. Those that the data do not answer are left out.
[[nodiscard]] std::vector<std::string> converge_words(const study::StudySpec& spec,
                                                      const study::ConvergeAnalysis& analysis);

}  // namespace convoy::report
