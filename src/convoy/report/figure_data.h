// Figures together with the table of their numbers.
#pragma once

#include <string>

#include "convoy/report/figure.h"

namespace convoy::report {

// The numbers of a chart, a row each, with six significant digits. Dashed lines are left out: they are computed, and
// what from is said elsewhere.
[[nodiscard]] Table chart_data(const Chart& chart);

[[nodiscard]] Figure make_figure(std::string id, std::string title, std::string definition, Chart chart);

}  // namespace convoy::report
