// The parts that the report of a sweep is made of: its tables and its heat maps.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "convoy/report/document.h"
#include "convoy/report/table.h"
#include "convoy/study/analysis/sweep_analysis.h"

namespace convoy::report {

// The first clause of why a point has no rank: the whole of it is in the table of failed runs.
[[nodiscard]] std::string short_trouble(const study::SweepPoint& point);

// "given up after 2 epochs; oversubscribed", "loss is NaN"; empty when there is nothing to say.
[[nodiscard]] std::string sweep_remark(const study::SweepPoint& point);

// Whether its loss can be drawn beside the others': known, on the common horizon, and not a hundred times the best one,
// which is as good as diverged and would hide all differences.
[[nodiscard]] bool is_drawable(const study::SweepPoint& point, const study::SweepAnalysis& analysis);

// All points by rank.
[[nodiscard]] Table ranking_table(const study::StudySpec& spec, const study::SweepAnalysis& analysis);

// The best point for each number of workers. Nothing when all points have the same number of workers.
[[nodiscard]] std::optional<Table> best_table(const study::StudySpec& spec, const study::SweepAnalysis& analysis);

// Heat maps of a sweep: the loss over two settings.

// Over batch and learning rate where both vary, else over the two settings with the most values, workers last; a map
// for each combination of the others. Nothing when fewer than two settings vary or no point has a loss.
[[nodiscard]] std::optional<Section> sweep_maps_section(const study::StudySpec& spec,
                                                        const study::SweepAnalysis& analysis);

}  // namespace convoy::report
