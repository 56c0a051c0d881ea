// The parts that the report of a sweep is made of: its tables, curves and heat maps.
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

// A sweep, or one number of workers of it.
struct SweepPart {
  const study::StudyResults& results;
  const study::SweepAnalysis& analysis;
  std::string suffix = {};  // of the ids of figures
  std::string of = {};      // of their titles: " with 2 workers"
};

// The areas as bars, the smallest first. Nothing when no point has one.
[[nodiscard]] std::optional<Figure> ranking_figure(const SweepPart& part);

// Of the best points: training loss over time and over samples, and test accuracy over time where it was measured.
[[nodiscard]] std::vector<Figure> curve_figures(const SweepPart& part);

// The winners that were trained for longer, in the same figures. Nothing when none was.
[[nodiscard]] std::optional<Section> retrained_section(const study::StudyResults& results);

// Heat maps of a sweep: the loss over two settings.

// Over batch and learning rate where both vary, else over the two settings with the most values, workers last; a map
// for each combination of the others. Nothing when fewer than two settings vary or no point has a loss.
[[nodiscard]] std::optional<Section> sweep_maps_section(const study::StudySpec& spec,
                                                        const study::SweepAnalysis& analysis);

}  // namespace convoy::report
