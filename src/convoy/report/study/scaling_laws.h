// The section of the laws fitted to a scaling study, and what they predict.
#pragma once

#include <optional>

#include "convoy/report/document.h"
#include "convoy/study/analysis/scale_analysis.h"

namespace convoy::report {

// Says why where there is no fit. Nothing when no series has a measured point.
[[nodiscard]] std::optional<Section> laws_section(const study::ScaleAnalysis& analysis);

}  // namespace convoy::report
