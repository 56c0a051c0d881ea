// Accuracy and loss of a convergence study over epochs and over time.
#pragma once

#include <optional>

#include "convoy/report/document.h"
#include "convoy/study/analysis/converge_analysis.h"

namespace convoy::report {

// Mean curves over seeds with their interval. Nothing when no epoch was evaluated in all runs of a point.
[[nodiscard]] std::optional<Section> accuracy_section(const study::ConvergeAnalysis& analysis);
[[nodiscard]] std::optional<Section> loss_section(const study::ConvergeAnalysis& analysis);

// What hollow marks mean where time is drawn; empty when no point's times are doubtful.
[[nodiscard]] std::string times_hollow_text(const study::ConvergeAnalysis& analysis);

// "workers 2, instances 4"; marks oversubscribed ones.
[[nodiscard]] std::string converge_name(const study::ConvergePoint& point);

}  // namespace convoy::report
