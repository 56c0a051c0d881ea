#include "convoy/report/study/scale_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "convoy/base/number_text.h"
#include "convoy/report/glossary.h"
#include "convoy/report/measured_values.h"

namespace convoy::report {
namespace {

using study::ScaleAnalysis;
using study::ScaleSeries;
using study::ScalingFit;
using study::ScalingFitResult;

std::string name_of(const ScaleSeries& series) { return series.name.empty() ? "all" : series.name; }

std::string knee_cell(const ScalingFit& fit, const ScaleSeries& series) {
  if (!fit.knee) return "none";
  if (!series.is_near(fit.knee->value)) return fmt::format("beyond {}", series.farthest_prediction());
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
                 fit.knee && series.is_near(fit.knee->value) ? interval_cell(*fit.knee) : "-",
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

void add_prediction(Table& table, const ScaleSeries& series, study::ScalingLaw law,
                    const study::PredictionResult& result) {
  if (!result.prediction) return;
  const study::ScalingPrediction& said = *result.prediction;
  table.add_row({name_of(series), std::string(to_text(law)), fmt::format("{}", said.size),
                 significant_text(said.throughput.value), interval_cell(said.throughput),
                 significant_text(said.speed_up), percent_cell(said.efficiency), "extrapolated"},
                RowMark::doubtful);
}

Table prediction_table(const ScaleAnalysis& analysis) {
  Table table{.id = "predictions",
              .caption = "What the laws say of twice the largest size",
              .header = {"series", "law", analysis.size_key, "samples/s", "95 % of the law's mean", "speed-up",
                         "efficiency (%)", "remarks"},
              .rows = {}};
  for (const ScaleSeries& series : analysis.series) {
    add_prediction(table, series, study::ScalingLaw::amdahl, series.amdahl_prediction);
    add_prediction(table, series, study::ScalingLaw::universal, series.universal_prediction);
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
    const auto add_all = [&](const std::string& law, const ScalingFitResult& result, const std::string& silent) {
      if (!result.fit) return add(series, "no fit", result.reason);  // the reason names the law
      for (const std::string& note : result.fit->notes) add(series, law, note);
      if (!silent.empty()) add(series, law, "no prediction, since " + silent);
    };
    add_all("Amdahl's law", series.amdahl, series.amdahl_prediction.reason);
    add_all("universal scalability law", series.universal, series.universal_prediction.reason);
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
  for (const std::string& remark : remarks) section.blocks.emplace_back(Paragraph{remark});
  return section;
}

}  // namespace convoy::report
