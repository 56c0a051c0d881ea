#include "convoy/report/study/scaling_laws.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "convoy/base/number_text.h"
#include "convoy/report/cell_text.h"
#include "convoy/report/glossary.h"
#include "convoy/report/study/scale_points.h"

namespace convoy::report {
namespace {

using study::Estimate;
using study::ScaleAnalysis;
using study::ScaleSeries;
using study::ScalingFit;
using study::ScalingFitResult;

std::string name_of(const ScaleSeries& series) { return series.name.empty() ? "all" : series.name; }

std::string knee_cell(const ScalingFit& fit, const ScaleSeries& series) {
  if (!fit.knee) return "none";
  if (!is_near(fit.knee->value, series)) return fmt::format("beyond {}", farthest_prediction(series));
  return significant_text(fit.knee->value, 3);
}

void add_law(Table& table, const ScaleSeries& series, const ScalingFitResult& result) {
  if (!result.fit) return;
  const ScalingFit& fit = *result.fit;
  const bool is_universal = fit.law == study::ScalingLaw::universal;
  table.add_row({name_of(series), std::string(to_text(fit.law)), significant_text(fit.single_throughput.value),
                 interval_cell(fit.single_throughput), significant_text(fit.serial_share.value),
                 interval_cell(fit.serial_share), is_universal ? significant_text(fit.crosstalk.value) : "-",
                 is_universal ? interval_cell(fit.crosstalk) : "-", is_universal ? knee_cell(fit, series) : "-",
                 fit.knee && is_near(fit.knee->value, series) ? interval_cell(*fit.knee) : "-",
                 percent_cell(fit.rms_relative_error), fmt::format("{}", fit.observations)});
}

Table law_table(const ScaleAnalysis& analysis) {
  Table table{.id = "laws",
              .caption = "Parameters of the fitted laws",
              .header = {"series", "law", "X1 (samples/s)", "X1, 95 %", "s", "s, 95 %", "k", "k, 95 %", "knee",
                         "knee, 95 %", "residual (%)", "runs"},
              .rows = {}};
  for (const ScaleSeries& series : analysis.series) {
    add_law(table, series, series.amdahl);
    add_law(table, series, series.universal);
  }
  return table;
}

// Why the law is not asked what it says of that size; empty when it is.
std::string reason_against_prediction(const ScaleSeries& series, const Estimate& throughput, std::int64_t size) {
  constexpr double kWidest = 2;  // high over low
  const auto is_it = [&](const study::ScalePoint& point) { return point.size == size && point.statistics.throughput; };
  if (std::ranges::any_of(series.points, is_it)) return fmt::format("size {} was measured", size);
  const study::Interval& interval = *throughput.interval_95;
  if (interval.high <= kWidest * interval.low) return "";
  return fmt::format("its interval at size {} is too wide to say anything ({} samples/s)", size,
                     interval_cell(throughput));
}

void add_prediction(Table& table, const ScaleSeries& series, const ScalingFitResult& result) {
  if (!result.fit) return;
  const std::int64_t size = farthest_prediction(series);
  const Estimate throughput = predict(*result.fit, size);
  if (!reason_against_prediction(series, throughput, size).empty()) return;
  const double speed_up = throughput.value / predict(*result.fit, series.base_size).value;
  table.add_row(
      {name_of(series), std::string(to_text(result.fit->law)), fmt::format("{}", size),
       significant_text(throughput.value), interval_cell(throughput), significant_text(speed_up),
       percent_cell(speed_up * static_cast<double>(series.base_size) / static_cast<double>(size)), "extrapolated"},
      RowMark::doubtful);
}

Table prediction_table(const ScaleAnalysis& analysis) {
  Table table{.id = "predictions",
              .caption = "What the laws say of twice the largest size",
              .header = {"series", "law", analysis.size_key, "samples/s", "95 % of the law's mean", "speed-up",
                         "efficiency (%)", "remarks"},
              .rows = {}};
  for (const ScaleSeries& series : analysis.series) {
    add_prediction(table, series, series.amdahl);
    add_prediction(table, series, series.universal);
  }
  return table;
}

// Reasons and notes, each once.
std::vector<std::string> remarks_of(const ScaleAnalysis& analysis) {
  std::vector<std::string> remarks;
  const auto add = [&](const ScaleSeries& series, const std::string& law, const std::string& text) {
    std::string remark = fmt::format("{}{}: {}.", series.name.empty() ? "" : series.name + ", ", law, text);
    if (std::ranges::find(remarks, remark) == remarks.end()) remarks.push_back(std::move(remark));
  };
  for (const ScaleSeries& series : analysis.series) {
    const std::array results = {std::pair("Amdahl's law", &series.amdahl),
                                std::pair("universal scalability law", &series.universal)};
    for (const auto& [law, result] : results) {
      if (!result->fit) add(series, "no fit", result->reason);  // which names the law
      if (!result->fit) continue;
      for (const std::string& note : result->fit->notes) add(series, law, note);
      const std::int64_t size = farthest_prediction(series);
      const std::string reason = reason_against_prediction(series, predict(*result->fit, size), size);
      if (!reason.empty()) add(series, law, "no prediction, since " + reason);
    }
  }
  return remarks;
}

}  // namespace

std::optional<Section> laws_section(const ScaleAnalysis& analysis) {
  if (std::ranges::all_of(analysis.series, [](const ScaleSeries& s) { return s.base_size == 0; })) return std::nullopt;
  Section section{.id = "laws", .title = "Laws of scaling", .blocks = {}};
  section.blocks.emplace_back(definitions({Term::amdahl, Term::universal}));
  Table laws = law_table(analysis);
  if (!laws.rows.empty()) {
    section.blocks.emplace_back(std::move(laws));
    if (Table predictions = prediction_table(analysis); !predictions.rows.empty()) {
      section.blocks.emplace_back(std::move(predictions));
      section.blocks.emplace_back(
          Paragraph{"Predictions are extrapolated: their intervals know of the spread of the runs, and nothing of what "
                    "changes beyond the measured sizes, such as a second host or a full network. They go no farther "
                    "than twice the largest size that was measured."});
    }
  }
  const std::vector<std::string> remarks = remarks_of(analysis);
  if (!remarks.empty()) section.blocks.emplace_back(Paragraph{fmt::format("{}", fmt::join(remarks, " "))});
  return section;
}

}  // namespace convoy::report
