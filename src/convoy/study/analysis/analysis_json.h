// What a study concludes, for other programs: what `--json` prints.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "convoy/study/analysis/study_analysis.h"

namespace convoy::study {

// Kind, counts of runs and, for each point, its settings, its marks and the statistics of its runs; then the analysis
// of the study's kind, the same numbers that its report shows. What is not known is left out; what is not finite is
// null.
[[nodiscard]] nlohmann::ordered_json to_json(const StudyAnalysis& analysis);

}  // namespace convoy::study
