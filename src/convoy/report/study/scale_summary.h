// The first section of a scaling report: the numbers a reader came for, the answer in words, and all points.
#pragma once

#include "convoy/report/document.h"
#include "convoy/study/analysis/scale_analysis.h"

namespace convoy::report {

// A row for each point, the failed ones among them.
[[nodiscard]] Table scale_table(const study::ScaleAnalysis& analysis, double price);

[[nodiscard]] Section scale_summary(const study::ScaleAnalysis& analysis, double price);

}  // namespace convoy::report
