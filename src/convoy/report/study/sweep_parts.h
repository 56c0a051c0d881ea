// The parts of a sweep's report: its tables, curves and heat maps.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "convoy/report/document.h"
#include "convoy/report/table.h"
#include "convoy/study/analysis/sweep_analysis.h"

namespace convoy::report {

// The first clause of the reason why a point has no rank; the table of failed runs has the whole reason.
[[nodiscard]] std::string short_trouble(const study::SweepPoint& point);

// "given up after 2 epochs; oversubscribed", "loss is NaN"; empty when there is nothing to say.
[[nodiscard]] std::string sweep_remark(const study::SweepPoint& point);

// Whether its loss can be drawn beside the others: it is known, within the common horizon, and less than a hundred
// times the best one. A larger one is as good as diverged and would hide all differences.
[[nodiscard]] bool is_drawable(const study::SweepPoint& point, const study::SweepAnalysis& analysis);

// All points by rank.
[[nodiscard]] Table ranking_table(const study::StudySpec& spec, const study::SweepAnalysis& analysis);

// The best point for each number of workers. No value if all points have the same number of workers.
[[nodiscard]] std::optional<Table> best_table(const study::StudySpec& spec, const study::SweepAnalysis& analysis);

// A whole sweep, or the part of it with one number of workers.
struct SweepPart {
  const study::StudyResults& results;
  const study::SweepAnalysis& analysis;
  std::string suffix = {};  // for the ids of figures
  std::string of = {};      // for their titles: " with 2 workers"
};

// The areas as bars, the smallest first. No value if no point has one.
[[nodiscard]] std::optional<Figure> ranking_figure(const SweepPart& part);

// For the best points: training loss over time and over samples, and test accuracy over time if it was measured.
[[nodiscard]] std::vector<Figure> curve_figures(const SweepPart& part);

// The winners that were trained for longer, in the same figures. No value if there are none.
[[nodiscard]] std::optional<Section> retrained_section(const study::StudyResults& results);

// Heat maps of a sweep: the loss over two settings.

// Over batch and learning rate if both vary, otherwise over the two settings with the most values, workers last; one
// map for each combination of the others. No value if fewer than two settings vary or no point has a loss.
[[nodiscard]] std::optional<Section> sweep_maps_section(const study::StudySpec& spec,
                                                        const study::SweepAnalysis& analysis);

}  // namespace convoy::report
