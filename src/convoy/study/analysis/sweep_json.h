// The conclusions of a sweep for other programs.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "convoy/study/analysis/sweep_analysis.h"

namespace convoy::study {

[[nodiscard]] nlohmann::ordered_json to_json(const SweepAnalysis& analysis);

}  // namespace convoy::study
