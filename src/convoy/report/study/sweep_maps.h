// Heat maps of a sweep: the loss over two settings.
#pragma once

#include <optional>

#include "convoy/report/document.h"
#include "convoy/study/analysis/sweep_analysis.h"

namespace convoy::report {

// Over batch and learning rate where both vary, else over the two settings with the most values, workers last; a map
// for each combination of the others. Nothing when fewer than two settings vary or no point has a loss.
[[nodiscard]] std::optional<Section> sweep_maps_section(const study::StudySpec& spec,
                                                        const study::SweepAnalysis& analysis);

}  // namespace convoy::report
