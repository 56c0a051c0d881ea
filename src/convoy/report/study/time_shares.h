// The sections that show where the time goes, and so why a point is as fast as it is: shares of a step, and CPU use.
#pragma once

#include <optional>

#include "convoy/report/document.h"
#include "convoy/study/analysis/scale_analysis.h"

namespace convoy::report {

// No value if no run recorded its steps.
[[nodiscard]] std::optional<Section> time_shares_section(const study::ScaleAnalysis& analysis);

// The parts of a step's time, in the order of share_amounts().
[[nodiscard]] std::vector<std::string> share_names();
[[nodiscard]] std::vector<double> share_amounts(const study::TimeShares& shares);

// CPU use over the time of a study's runs: the first counted run of each point. If there are many points, those with
// the most workers; oversubscribed ones last. No value if no record has it.
[[nodiscard]] std::optional<Section> cpu_use_section(const study::StudyResults& results,
                                                     const study::ScaleAnalysis& analysis);

}  // namespace convoy::report
