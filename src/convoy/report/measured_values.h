// Measured values as cells of tables and as marks of charts.
#pragma once

#include <limits>
#include <optional>
#include <string>

#include "convoy/base/statistics.h"
#include "convoy/report/chart/bar.h"
#include "convoy/report/chart/line_chart.h"
#include "convoy/study/measure/estimate.h"

namespace convoy::report {

// Cells: values that are not known, or without a spread, are "-". Units are in the header.

using MaybeSummary = std::optional<Summary>;

// Whether there is more than one value.
[[nodiscard]] bool has_spread(const MaybeSummary& summary);

[[nodiscard]] std::string number_cell(std::optional<double> value, int digits = 4);
[[nodiscard]] std::string rate_cell(std::optional<double> rate);      // "0.05"
[[nodiscard]] std::string percent_cell(std::optional<double> share);  // "96.3"

// Values are multiplied by `scale`, for example 1000 for milliseconds.
[[nodiscard]] std::string mean_cell(const MaybeSummary& summary, double scale = 1);
[[nodiscard]] std::string median_cell(const MaybeSummary& summary, double scale = 1);
[[nodiscard]] std::string deviation_cell(const MaybeSummary& summary, double scale = 1);
[[nodiscard]] std::string cv_cell(const MaybeSummary& summary);  // in percent
// "1210 to 1258", limited to `most`, the largest possible value.
[[nodiscard]] std::string interval_cell(const MaybeSummary& summary, double scale = 1,
                                        double most = std::numeric_limits<double>::infinity());
// What an interval is based on, with its degrees of freedom: "pooled (9)", "own (2)", "steps (41)".
[[nodiscard]] std::string basis_cell(const MaybeSummary& summary);
[[nodiscard]] std::string interval_cell(const study::Estimate& estimate, double scale = 1);  // "8.100 or more"

// How a mean is drawn, with its 95 % interval if there is one. Intervals are limited to possible values: two noisy runs
// would otherwise allow accuracies of 160 %.
struct MarkStyle {
  bool hollow = false;                                    // doubtful
  double scale = 1;                                       // values are multiplied by it
  double most = std::numeric_limits<double>::infinity();  // the largest possible value, in the unit that is drawn; the
                                                          // smallest is 0
};

[[nodiscard]] Point summary_point(double x, const Summary& summary, const MarkStyle& style = {});
[[nodiscard]] Bar summary_bar(const Summary& summary, const MarkStyle& style = {});

}  // namespace convoy::report
