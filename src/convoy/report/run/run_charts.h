// Sections of a report of runs that are mostly figures. Nothing where there would be nothing to draw.
#pragma once

#include <optional>
#include <vector>

#include "convoy/report/document.h"
#include "convoy/report/run/run_points.h"

namespace convoy::report {

// Training and test, over epochs and over time.
[[nodiscard]] std::optional<Section> run_loss_section(const std::vector<NamedRun>& runs);
[[nodiscard]] std::optional<Section> run_accuracy_section(const std::vector<NamedRun>& runs);
[[nodiscard]] std::optional<Section> learning_rate_section(const std::vector<NamedRun>& runs);
[[nodiscard]] std::optional<Section> run_cpu_use_section(const std::vector<NamedRun>& runs);
[[nodiscard]] std::optional<Section> run_shares_section(const std::vector<NamedRun>& runs);
// Of one run whose summary has it.
[[nodiscard]] std::optional<Section> class_accuracy_section(const NamedRun& run);

}  // namespace convoy::report
