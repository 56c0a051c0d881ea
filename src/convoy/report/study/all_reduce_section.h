// The section that compares ways of summing gradients.
#pragma once

#include <optional>

#include "convoy/report/document.h"
#include "convoy/study/analysis/scale_analysis.h"

namespace convoy::report {

// Nothing when only one of them was measured.
[[nodiscard]] std::optional<Section> all_reduce_section(const study::ScaleAnalysis& analysis);

}  // namespace convoy::report
