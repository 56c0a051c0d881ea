// The numbers of a study for other programs: what `--json` prints.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "convoy/study/study_results.h"

namespace convoy::study {

// Kind, counts of runs and, for each point, its settings, its marks and the statistics of its runs. What is not known
// is left out; what is not finite is null.
[[nodiscard]] nlohmann::ordered_json to_json(const StudyResults& results);

}  // namespace convoy::study
