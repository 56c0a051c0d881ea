// Measured values as cells of a table and as marks of a chart.
#pragma once

#include <limits>
#include <optional>
#include <string>

#include "convoy/base/statistics.h"
#include "convoy/report/chart/bar.h"
#include "convoy/report/chart/line_chart.h"
#include "convoy/study/measure/estimate.h"

namespace convoy::report {

// Cells: what is not known, or has no spread, is "-" and nothing invented. Units stand in the header.

using MaybeSummary = std::optional<Summary>;

// Whether it has a spread: more than one value.
[[nodiscard]] bool has_spread(const MaybeSummary& summary);

[[nodiscard]] std::string number_cell(std::optional<double> value, int digits = 4);
[[nodiscard]] std::string rate_cell(std::optional<double> rate);      // "0.05", as short as it is
[[nodiscard]] std::string percent_cell(std::optional<double> share);  // "96.3"

// `scale` is multiplied to the values, 1000 for milliseconds.
[[nodiscard]] std::string mean_cell(const MaybeSummary& summary, double scale = 1);
[[nodiscard]] std::string median_cell(const MaybeSummary& summary, double scale = 1);
[[nodiscard]] std::string deviation_cell(const MaybeSummary& summary, double scale = 1);
[[nodiscard]] std::string cv_cell(const MaybeSummary& summary);  // in percent
// "1210 to 1258", cut at the `most` that is possible.
[[nodiscard]] std::string interval_cell(const MaybeSummary& summary, double scale = 1,
                                        double most = std::numeric_limits<double>::infinity());
// What an interval goes by: "pooled (9)", "own (2)", "steps (41)", with its degrees of freedom.
[[nodiscard]] std::string basis_cell(const MaybeSummary& summary);
[[nodiscard]] std::string interval_cell(const study::Estimate& estimate, double scale = 1);  // "8.100 or more"

// How a mean is drawn, with its 95 % interval where there is one. Intervals are cut at what is possible: two noisy runs
// would otherwise allow accuracies of 160 %.
struct MarkStyle {
  bool hollow = false;                                    // to be taken with care
  double scale = 1;                                       // multiplied to the values
  double most = std::numeric_limits<double>::infinity();  // possible, in the unit that is drawn; the least is 0
};

[[nodiscard]] Point summary_point(double x, const Summary& summary, const MarkStyle& style = {});
[[nodiscard]] Bar summary_bar(const Summary& summary, const MarkStyle& style = {});

}  // namespace convoy::report
