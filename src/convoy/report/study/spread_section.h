// The section of the spread of throughput: over runs, over epochs, and by both readings of an imported log.
#pragma once

#include <optional>

#include "convoy/report/document.h"
#include "convoy/study/analysis/scale_analysis.h"

namespace convoy::report {

// Nothing when no throughput was measured.
[[nodiscard]] std::optional<Section> spread_section(const study::ScaleAnalysis& analysis);

// Throughput by the slowest worker beside that by lines; nothing when no log has lines of several workers.
[[nodiscard]] std::optional<Section> readings_section(const study::ScaleAnalysis& analysis);

}  // namespace convoy::report
