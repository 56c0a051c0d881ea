// The tables of a sweep: all points by rank, and the best for each number of workers.
#pragma once

#include <optional>
#include <string>
#include <vector>

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

[[nodiscard]] Table ranking_table(const study::StudySpec& spec, const study::SweepAnalysis& analysis);

// Nothing when all points have the same number of workers.
[[nodiscard]] std::optional<Table> best_table(const study::StudySpec& spec, const study::SweepAnalysis& analysis);

}  // namespace convoy::report
