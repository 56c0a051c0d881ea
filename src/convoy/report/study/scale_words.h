// What a scaling study found, in plain words.
#pragma once

#include <string>
#include <vector>

#include "convoy/study/analysis/scale_analysis.h"

namespace convoy::report {

// Paragraphs: how throughput grows, weak against strong, which all-reduce, how many workers pay off and why. Those that
// the data do not answer are left out.
[[nodiscard]] std::vector<std::string> scale_words(const study::ScaleAnalysis& analysis);

}  // namespace convoy::report
