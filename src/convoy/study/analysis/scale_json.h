// The conclusions of a scaling study for other programs.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "convoy/study/analysis/scale_analysis.h"

namespace convoy::study {

[[nodiscard]] nlohmann::ordered_json to_json(const ScaleAnalysis& analysis);

}  // namespace convoy::study
