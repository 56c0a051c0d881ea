// The section of CPU use over the time of a study's runs.
#pragma once

#include <optional>

#include "convoy/report/document.h"
#include "convoy/study/analysis/scale_analysis.h"

namespace convoy::report {

// The first counted run of each point; of many points those with the most workers, oversubscribed ones last. Nothing
// when no record tells.
[[nodiscard]] std::optional<Section> cpu_use_section(const study::StudyResults& results,
                                                     const study::ScaleAnalysis& analysis);

}  // namespace convoy::report
