// The conclusions of a convergence study for other programs.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "convoy/study/analysis/converge_analysis.h"

namespace convoy::study {

[[nodiscard]] nlohmann::ordered_json to_json(const ConvergeAnalysis& analysis);

}  // namespace convoy::study
