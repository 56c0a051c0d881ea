#include "convoy/report/study/spread_section.h"

#include <fmt/format.h>

#include <algorithm>

#include "convoy/report/cell_text.h"
#include "convoy/report/glossary.h"
#include "convoy/report/study/scale_points.h"

namespace convoy::report {
namespace {

using study::PointStatistics;
using study::ScaleAnalysis;

using GetSummary = const MaybeSummary& (*)(const PointStatistics&);

const MaybeSummary& over_runs(const PointStatistics& seen) { return seen.throughput; }
const MaybeSummary& over_epochs(const PointStatistics& seen) { return seen.epoch_throughput; }

Table spread_table(const ScaleAnalysis& analysis, std::string id, std::string caption, GetSummary get) {
  Table table{.id = std::move(id),
              .caption = std::move(caption),
              .header = {"point", "values", "median", "mean", "deviation", "CV (%)", "95 % interval", "by (freedom)",
                         "smallest", "largest"},
              .rows = {}};
  for (const ListedPoint& listed : listed_points(analysis)) {
    const MaybeSummary& summary = get(listed.point->statistics);
    if (!summary) continue;
    table.add_row({point_name(analysis, listed), fmt::format("{}", summary->count), median_cell(summary),
                   mean_cell(summary), deviation_cell(summary), cv_cell(summary), interval_cell(summary),
                   basis_cell(summary), number_cell(summary->minimum), number_cell(summary->maximum)},
                  mark_of(listed.point->statistics, listed.point->oversubscribed));
  }
  return table;
}

bool has_lines(const ListedPoint& listed) { return listed.point->statistics.line_throughput.has_value(); }

}  // namespace

std::optional<Section> spread_section(const ScaleAnalysis& analysis) {
  Table runs = spread_table(analysis, "spread-runs", "Throughput (samples/s) over runs", over_runs);
  if (runs.rows.empty()) return std::nullopt;
  Section section{.id = "spread", .title = "Spread", .blocks = {}};
  section.blocks.emplace_back(Paragraph{meanings({Term::spread, Term::interval})});
  section.blocks.emplace_back(std::move(runs));
  Table epochs = spread_table(analysis, "spread-epochs", "Throughput (samples/s) over the counted epochs of all runs",
                              over_epochs);
  if (!epochs.rows.empty()) {
    section.blocks.emplace_back(std::move(epochs));
    section.blocks.emplace_back(
        Paragraph{"Epochs of a run follow each other on the same machine, so the interval over epochs is narrower than "
                  "the truth; the one over runs is what other tables show."});
  }
  return section;
}

std::optional<Section> readings_section(const ScaleAnalysis& analysis) {
  const std::vector<ListedPoint> points = listed_points(analysis);
  if (std::ranges::none_of(points, has_lines)) return std::nullopt;
  Table table{.id = "readings",
              .caption = "Two readings of the same logs (samples/s)",
              .header = {"point", "slowest worker: mean of epochs", "CV over epochs (%)", "mean over lines",
                         "median over lines", "deviation", "CV over lines (%)", "95 % interval", "lines",
                         "lines over slowest, within epochs (%)"},
              .rows = {}};
  for (const ListedPoint& listed : points) {
    const PointStatistics& seen = listed.point->statistics;
    if (!seen.line_throughput || !seen.epoch_throughput) continue;
    table.add_row({point_name(analysis, listed), mean_cell(seen.epoch_throughput), cv_cell(seen.epoch_throughput),
                   mean_cell(seen.line_throughput), median_cell(seen.line_throughput),
                   deviation_cell(seen.line_throughput), cv_cell(seen.line_throughput),
                   interval_cell(seen.line_throughput), fmt::format("{}", seen.line_throughput->count),
                   percent_cell(seen.line_excess)});
  }
  Section section{.id = "readings", .title = "Two readings of a log", .blocks = {}};
  section.blocks.emplace_back(Paragraph{meaning(Term::line_throughput)});
  section.blocks.emplace_back(std::move(table));
  return section;
}

}  // namespace convoy::report
