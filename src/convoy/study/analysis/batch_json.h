// The conclusions of a batch study for other programs.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "convoy/study/analysis/batch_analysis.h"

namespace convoy::study {

[[nodiscard]] nlohmann::ordered_json to_json(const BatchAnalysis& analysis);

}  // namespace convoy::study
