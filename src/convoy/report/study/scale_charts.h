// Sections of a scaling report that are mostly a figure. Nothing where there would be nothing to draw.
#pragma once

#include <optional>

#include "convoy/report/document.h"
#include "convoy/study/analysis/scale_analysis.h"

namespace convoy::report {

// With the fitted law of each series, and the ideal where all series have the same base.
[[nodiscard]] std::optional<Section> throughput_section(const study::ScaleAnalysis& analysis);
[[nodiscard]] std::optional<Section> speed_up_section(const study::ScaleAnalysis& analysis);
[[nodiscard]] std::optional<Section> efficiency_section(const study::ScaleAnalysis& analysis);
// Turnaround and step time, each where it is known.
[[nodiscard]] std::optional<Section> time_section(const study::ScaleAnalysis& analysis);
[[nodiscard]] std::optional<Section> cost_section(const study::ScaleAnalysis& analysis);

}  // namespace convoy::report
