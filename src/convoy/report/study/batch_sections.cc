#include "convoy/report/study/kind_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "convoy/base/number_text.h"
#include "convoy/report/document.h"
#include "convoy/report/figure.h"
#include "convoy/report/glossary.h"
#include "convoy/report/measured_values.h"
#include "convoy/report/study/scale_points.h"

namespace convoy::report {
namespace {

using study::BatchPoint;
using study::BatchSeries;
using AllSeries = std::vector<BatchSeries>;
using BatchMeasure = std::function<std::optional<Point>(const BatchPoint&)>;

bool any_point(const AllSeries& all, const std::function<bool(const BatchPoint&)>& is) {
  return std::ranges::any_of(all, [&](const BatchSeries& series) { return std::ranges::any_of(series.points, is); });
}

bool is_oversubscribed(const BatchPoint& point) { return point.oversubscribed; }
bool is_disturbed(const BatchPoint& point) { return point.statistics.rests_on_disturbed; }

// One line for each series that has values.
LineChart chart_of(const AllSeries& all, Axis y, const BatchMeasure& measure) {
  LineChart chart{.x = {.title = "batch", .scale = AxisScale::log2, .categories = {}},
                  .y = std::move(y),
                  .series = {},
                  .hollow_means = hollow_text(any_point(all, is_oversubscribed), any_point(all, is_disturbed))};
  for (const BatchSeries& series : all) {
    Series line{.name = series.name.empty() ? "measured" : series.name, .points = {}};
    for (const BatchPoint& point : series.points) {
      std::optional<Point> drawn = measure(point);
      if (!drawn) continue;
      drawn->x = static_cast<double>(point.batch);
      drawn->hollow = is_oversubscribed(point) || is_disturbed(point);
      line.points.push_back(*drawn);
    }
    if (!line.points.empty()) chart.series.push_back(std::move(line));
  }
  return chart;
}

Table table_of(const AllSeries& all) {
  Table table{.id = "points",
              .caption = "All batch sizes: means over runs",
              .header = {"series", "batch", "effective lr", "samples/s", "95 % interval", "interval by", "CV (%)",
                         "median", "step (ms)", "peak memory", "remarks"},
              .rows = {}};
  for (const BatchSeries& series : all) {
    for (const BatchPoint& point : series.points) {
      const study::PointStatistics& seen = point.statistics;
      const bool is_advised = series.advice && series.advice->batch == point.batch;
      std::string remark = remark_of(seen, point.oversubscribed);
      if (is_advised) remark += remark.empty() ? "recommended" : "; recommended";
      const RowMark mark = mark_of(seen, point.oversubscribed);
      table.add_row(
          {series.name.empty() ? "all" : series.name, fmt::format("{}", point.batch), rate_cell(seen.learning_rate),
           mean_cell(seen.throughput), interval_cell(seen.throughput), basis_cell(seen.throughput),
           cv_cell(seen.throughput), median_cell(seen.throughput), mean_cell(seen.step_seconds, 1000),
           seen.peak_memory_bytes > 0 ? bytes_text(seen.peak_memory_bytes) : "-", remark},
          is_advised && mark == RowMark::none ? RowMark::best : mark);
    }
  }
  return table;
}

Section summary_of(const AllSeries& all) {
  Section section{.id = "summary", .title = "Summary", .blocks = {}};
  Highlights highlights;
  std::vector<Paragraph> words;
  for (const BatchSeries& series : all) {
    if (!series.advice) continue;
    const std::string name = series.name.empty() ? "" : series.name + ": ";
    highlights.entries.push_back(
        {"recommended batch", fmt::format("{}", series.advice->batch),
         fmt::format("{}{}", name,
                     series.advice->certain ? "decided by the intervals" : "not decided by the intervals")});
    words.push_back({name + series.advice->why});
  }
  if (!highlights.entries.empty()) section.blocks.emplace_back(std::move(highlights));
  for (Paragraph& text : words) section.blocks.emplace_back(std::move(text));
  section.blocks.emplace_back(Paragraph{meanings({Term::batch_advice})});
  if (any_point(all, is_oversubscribed)) {
    section.blocks.emplace_back(
        Notice{.kind = Notice::Kind::warning, .title = "Oversubscribed points", .text = meaning(Term::oversubscribed)});
  }
  section.blocks.emplace_back(table_of(all));
  return section;
}

std::optional<Section> throughput_over_batch(const AllSeries& all) {
  LineChart chart =
      chart_of(all, {.title = "throughput (samples/s)", .from_zero = true, .categories = {}}, [](const BatchPoint& p) {
        return p.statistics.throughput ? std::optional(summary_point(0, *p.statistics.throughput)) : std::nullopt;
      });
  if (chart.series.empty()) return std::nullopt;
  return Section{.id = "throughput",
                 .title = "Throughput",
                 .blocks = {make_figure("throughput", "Throughput over batch size",
                                        meanings({Term::throughput, Term::interval}), std::move(chart))}};
}

std::optional<Section> spread_over_batch(const AllSeries& all) {
  LineChart chart =
      chart_of(all, {.title = "CV of throughput (%)", .from_zero = true, .categories = {}}, [](const BatchPoint& p) {
        const bool known = has_spread(p.statistics.throughput);
        return known ? std::optional(Point{.x = 0, .y = 100 * p.statistics.throughput->cv, .low = {}, .high = {}})
                     : std::nullopt;
      });
  if (chart.series.empty()) return std::nullopt;
  return Section{.id = "spread",
                 .title = "Spread",
                 .blocks = {make_figure("spread", "CV of throughput over batch size", meanings({Term::spread}),
                                        std::move(chart))}};
}

std::optional<Section> memory_over_batch(const AllSeries& all) {
  constexpr double kMebi = 1024.0 * 1024.0;
  LineChart chart =
      chart_of(all, {.title = "peak memory (MiB)", .from_zero = true, .categories = {}}, [&](const BatchPoint& p) {
        const double bytes = p.statistics.peak_memory_bytes;
        return bytes > 0 ? std::optional(Point{.x = 0, .y = bytes / kMebi, .low = {}, .high = {}}) : std::nullopt;
      });
  if (chart.series.empty()) return std::nullopt;
  return Section{
      .id = "memory",
      .title = "Memory",
      .blocks = {make_figure("memory", "Peak memory over batch size", meaning(Term::peak_memory), std::move(chart))}};
}

// A column of the table of epochs: the counted epochs of one batch size, each as a mean over runs.
struct EpochColumn {
  std::string title;
  std::vector<double> values;
  MaybeSummary over_epochs;  // over the epochs of all runs
};

EpochColumn epoch_column(const study::StudyResults& results, const BatchSeries& series, const BatchPoint& point) {
  EpochColumn column{.title = fmt::format("{}batch {}", series.name.empty() ? "" : series.name + ", ", point.batch),
                     .values = {},
                     .over_epochs = point.statistics.epoch_throughput};
  const auto result = std::ranges::find(results.points, point.point, &study::PointResult::point);
  const std::vector<const study::StudyRun*> runs = study::measured_runs(*result);
  for (std::size_t epoch = 0;; ++epoch) {
    double sum = 0;
    double count = 0;
    for (const study::StudyRun* const run : runs) {
      if (epoch >= run->measures->epoch_throughputs.size()) continue;
      sum += run->measures->epoch_throughputs[epoch];
      ++count;
    }
    if (count == 0) return column;
    column.values.push_back(sum / count);
  }
}

using EpochCell = std::string (*)(const MaybeSummary&);

void add_statistic(Table& table, const std::vector<EpochColumn>& columns, const char* name, EpochCell cell,
                   RowMark mark) {
  std::vector<std::string> cells = {name};
  for (const EpochColumn& column : columns) cells.push_back(cell(column.over_epochs));
  table.add_row(std::move(cells), mark);
}

Table epoch_table(const study::StudyResults& results, const std::vector<EpochColumn>& columns, bool averaged) {
  Table table{.id = "epochs",
              .caption = fmt::format("Throughput (samples/s) of each epoch{}; below, statistics of all of them",
                                     averaged ? ", as means over runs" : ""),
              .header = {"epoch"},
              .rows = {}};
  std::size_t most = 0;
  for (const EpochColumn& column : columns) {
    table.header.push_back(column.title);
    most = std::max(most, column.values.size());
  }
  for (std::size_t epoch = 0; epoch < most; ++epoch) {
    std::vector<std::string> cells = {
        fmt::format("{}", static_cast<std::int64_t>(epoch) + results.spec.skipped_epochs + 1)};
    for (const EpochColumn& column : columns) {
      cells.push_back(epoch < column.values.size() ? number_cell(column.values[epoch]) : "-");
    }
    table.add_row(std::move(cells));
  }
  add_statistic(
      table, columns, "median", [](const MaybeSummary& s) { return median_cell(s); }, RowMark::total);
  add_statistic(
      table, columns, "mean", [](const MaybeSummary& s) { return mean_cell(s); }, RowMark::none);
  add_statistic(
      table, columns, "deviation", [](const MaybeSummary& s) { return deviation_cell(s); }, RowMark::none);
  add_statistic(table, columns, "CV (%)", cv_cell, RowMark::none);
  return table;
}

// No value without a counted epoch.
std::optional<Section> epochs_of(const study::StudyResults& results, const AllSeries& all) {
  std::vector<EpochColumn> columns;
  bool averaged = false;
  for (const BatchSeries& series : all) {
    for (const BatchPoint& point : series.points) {
      EpochColumn column = epoch_column(results, series, point);
      if (column.values.empty()) continue;
      averaged = averaged || point.statistics.runs > 1;
      columns.push_back(std::move(column));
    }
  }
  if (columns.empty()) return std::nullopt;
  return Section{.id = "epochs", .title = "Epoch by epoch", .blocks = {epoch_table(results, columns, averaged)}};
}

}  // namespace

std::vector<Section> batch_sections(const study::StudyAnalysis& study) {
  const AllSeries& all = std::get<study::BatchAnalysis>(study.of_kind).series;
  SectionList sections;
  sections.add(summary_of(all));
  sections.add(epochs_of(study.results, all), "");
  sections.add(throughput_over_batch(all), "throughput, since no run has an epoch after the skipped ones");
  sections.add(spread_over_batch(all), "the spread over runs, since no batch was measured more than once");
  sections.add(memory_over_batch(all), "memory, which no record tells");
  return sections.take();
}

std::vector<Term> batch_terms(const study::StudyResults& /*results*/) {
  return {Term::batch_advice, Term::step_time, Term::peak_memory};
}

}  // namespace convoy::report
