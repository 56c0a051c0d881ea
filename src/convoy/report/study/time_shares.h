// The section that says where the time goes, and why a point is as fast as it is.
#pragma once

#include <optional>

#include "convoy/report/document.h"
#include "convoy/study/analysis/scale_analysis.h"

namespace convoy::report {

// Nothing when no run recorded its steps.
[[nodiscard]] std::optional<Section> time_shares_section(const study::ScaleAnalysis& analysis);

// The parts of a step's time in the order of `amounts_of`.
[[nodiscard]] std::vector<std::string> share_names();
[[nodiscard]] std::vector<double> share_amounts(const study::TimeShares& shares);

}  // namespace convoy::report
