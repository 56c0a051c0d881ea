#include "convoy/report/study/scale_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "convoy/base/number_text.h"
#include "convoy/report/measured_values.h"
#include "convoy/report/study/scale_points.h"
#include "convoy/report/words.h"
#include "convoy/study/plan/price.h"
#include "convoy/study/plan/study_plan.h"
#include "convoy/study/plan/study_spec.h"

namespace convoy::report {
namespace {

using study::ScaleAnalysis;
using study::ScalePoint;
using study::ScaleSeries;

// A column of the table of points.
struct Column {
  std::string title;
  std::function<std::string(const ListedPoint&)> cell;
};

void add_remark(std::string& remarks, const std::string& remark) {
  if (!remark.empty()) remarks += remarks.empty() ? remark : "; " + remark;
}

std::string remark_cell(const ListedPoint& listed) {
  const ScalePoint& point = *listed.point;
  std::string remark = remark_of(point.statistics, point.oversubscribed);
  if (listed.owner->is_base(point) && !listed.begins_several) add_remark(remark, "base");
  if (point.beyond_linear) add_remark(remark, "more than linear: doubtful");
  add_remark(remark, unknown_text(point.point));
  return remark;
}

std::string known_cell(std::int64_t number) { return number > 0 ? fmt::format("{}", number) : "-"; }
std::string workers_cell(const ListedPoint& p) { return known_cell(p.point->workers); }
std::string threads_cell(const ListedPoint& p) { return known_cell(p.point->threads); }
std::string batch_cell(const ListedPoint& p) { return known_cell(p.point->global_batch); }

bool varies(const std::vector<ListedPoint>& points, const Column& column) {
  return std::ranges::any_of(points, [&](const ListedPoint& p) { return column.cell(p) != column.cell(points[0]); });
}

bool is_unknown(const std::vector<ListedPoint>& points, const Column& column) {
  const auto says_nothing = [](const std::string& cell) { return cell.empty() || cell == "-"; };
  return std::ranges::all_of(points, [&](const ListedPoint& p) { return says_nothing(column.cell(p)); });
}

// "32"; "42 to 43" if the batch cannot be divided evenly. In other systems batch may mean that of each worker, so a
// log's batch is divided only if it says its scaling.
std::string worker_batch_cell(const study::StudySpec& spec, const ListedPoint& p) {
  const bool is_said =
      !study::kind_row(spec.kind).imported || !study::value_at(spec, p.point->point, "scaling", "").empty();
  const std::int64_t batch = p.point->global_batch;
  const std::int64_t workers = p.point->workers;
  if (!is_said || batch <= 0 || workers <= 0) return "-";
  const std::int64_t least = batch / workers;
  return batch % workers == 0 ? fmt::format("{}", least) : fmt::format("{} to {}", least, least + 1);
}

constexpr std::size_t kGlobalBatch = 2;  // indices in the list below
constexpr std::size_t kWorkerBatch = 3;

std::vector<Column> setting_columns(const study::StudySpec& spec) {
  return {{"workers", workers_cell},
          {"threads", threads_cell},
          {"global batch", batch_cell},
          {"batch per worker", [&spec](const ListedPoint& p) { return worker_batch_cell(spec, p); }},
          {"effective lr", [](const ListedPoint& p) { return rate_cell(p.point->statistics.learning_rate); }}};
}

// Columns that vary are shown; the two batch columns are shown together if either varies.
bool is_shown(const std::vector<ListedPoint>& points, const Column& column, const study::StudySpec& spec) {
  if (is_unknown(points, column)) return false;
  const std::vector<Column> settings = setting_columns(spec);
  const auto batch_varies = [&] {
    return varies(points, settings[kGlobalBatch]) || varies(points, settings[kWorkerBatch]);
  };
  const bool is_batch = column.title == settings[kGlobalBatch].title || column.title == settings[kWorkerBatch].title;
  return is_batch ? batch_varies() : varies(points, column);
}

void add_measured_columns(std::vector<Column>& columns) {
  const auto add = [&](const char* title, auto cell) {
    columns.push_back({title, [cell](const ListedPoint& p) { return cell(*p.point); }});
  };
  add("samples/s", [](const ScalePoint& p) { return mean_cell(p.statistics.throughput); });
  add("95 % interval", [](const ScalePoint& p) { return interval_cell(p.statistics.throughput); });
  add("speed-up", [](const ScalePoint& p) { return number_cell(p.speed_up); });
  add("efficiency (%)", efficiency_cell);
  add("CV (%)", [](const ScalePoint& p) { return cv_cell(p.statistics.throughput); });
  add("step (ms)", [](const ScalePoint& p) { return mean_cell(p.statistics.step_seconds, kMilliseconds); });
  add("step / base's", [](const ScalePoint& p) { return number_cell(p.step_increase, 3); });
  add("run time (s)", [](const ScalePoint& p) { return mean_cell(p.statistics.turnaround_seconds); });
}

// Settings that are the same everywhere are left to the caption: the table is wide enough.
std::vector<Column> columns_of(const ScaleAnalysis& analysis, const std::vector<ListedPoint>& points,
                               const study::StudySpec& spec) {
  std::vector<Column> columns;
  if (analysis.series.size() > 1) columns.push_back({"series", [](const ListedPoint& p) { return p.series; }});
  for (Column& column : setting_columns(spec)) {
    if (column.title == analysis.size_key || is_shown(points, column, spec)) columns.push_back(std::move(column));
  }
  add_measured_columns(columns);
  if (spec.price > 0) {
    columns.push_back({fmt::format("cost ({})", study::unit_of(spec.currency)),
                       [](const ListedPoint& p) { return number_cell(p.point->statistics.cost); }});
  }
  columns.push_back({"remarks", remark_cell});
  // Removes columns for what imported logs never say.
  if (study::kind_row(spec.kind).imported) {
    std::erase_if(columns, [&](const Column& column) { return is_unknown(points, column); });
  }
  return columns;
}

std::string caption_of(const ScaleAnalysis& analysis, const std::vector<ListedPoint>& points,
                       const study::StudySpec& spec) {
  std::string text = "All points, as means over runs";
  for (const Column& column : setting_columns(spec)) {
    const bool is_column = column.title == analysis.size_key || is_shown(points, column, spec);
    if (is_column || column.cell(points[0]) == "-") continue;
    text += fmt::format("; {} {}", column.title, column.cell(points[0]));
  }
  return text;
}

std::string interval_text(const MaybeSummary& throughput) {
  if (!throughput->has_interval()) return "one run: no interval";
  const bool by_steps = throughput->interval_from == IntervalBasis::steps;
  return fmt::format("95 % interval {}{}", interval_cell(throughput), by_steps ? ", by the steps of one run" : "");
}

void add_pay_off(Highlights& highlights, const ScaleAnalysis& analysis, const ScaleSeries& series) {
  const auto& answer = series.pay_off;
  if (!answer) return;
  std::string detail = answer->not_worth ? fmt::format("{} do not", answer->not_worth->to) : "the largest measured";
  if (!series.name.empty()) detail = fmt::format("{}; {}", series.name, detail);
  highlights.entries.push_back({"pays off", "up to " + count_text(answer->size, analysis.size_key), detail});
}

void add_knee(Highlights& highlights, const ScaleAnalysis& analysis, const ScaleSeries& series) {
  if (!series.universal.fit) return;
  const std::string name = series.name.empty() ? "" : series.name + "; ";
  if (!series.universal.fit->knee || !series.is_near(series.universal.fit->knee->value)) {
    highlights.entries.push_back({"knee", "none within reach", name + "by the universal law"});
    return;
  }
  const study::Estimate& knee = *series.universal.fit->knee;
  const std::string detail = knee.interval_95 ? "95 % interval " + interval_cell(knee) : "too few runs for an interval";
  highlights.entries.push_back(
      {"knee", short_text(knee.value) + " " + analysis.size_key, name + "fastest by the universal law; " + detail});
}

Highlights highlights_of(const ScaleAnalysis& analysis, const std::vector<ListedPoint>& points) {
  Highlights highlights;
  const study::ScaleAnswer& answer = analysis.answer;
  if (!answer.fastest) return highlights;
  const ListedPoint& fastest = points[listed_index(points, analysis.at(*answer.fastest))];
  const MaybeSummary& throughput = fastest.point->statistics.throughput;
  std::string detail = point_name(analysis, fastest);
  if (fastest.point->speed_up && fastest.point->size != fastest.owner->base_size) {
    detail += fmt::format("; {} times as fast as {}", significant_text(*fastest.point->speed_up, 3),
                          count_text(fastest.owner->base_size, analysis.size_key));
  }
  highlights.entries.push_back({"best throughput", significant_text(throughput->mean) + " samples/s",
                                fmt::format("{}; {}", detail, interval_text(throughput))});
  if (answer.most_efficient) {
    const ListedPoint& best = points[listed_index(points, analysis.at(*answer.most_efficient))];
    highlights.entries.push_back({"best efficiency", efficiency_text(*best.point), point_name(analysis, best)});
  }
  const ScaleSeries& series = analysis.series[*answer.best_series];
  add_pay_off(highlights, analysis, series);
  add_knee(highlights, analysis, series);
  return highlights;
}

std::string disturbed_text(const ScaleAnalysis& analysis) {
  std::string text =
      "Others used the cores during all runs of some points. Those are marked, drawn hollow, and left out of the "
      "answers.";
  const auto without_base = std::ranges::count_if(analysis.series, &ScaleSeries::base_is_disturbed);
  if (without_base == std::ssize(analysis.series)) {
    text += " The base is among them, so there is no speed-up and no efficiency.";
  } else if (without_base > 0) {
    text += " Bases are among them; series that begin with one have no speed-up and no efficiency.";
  }
  return text;
}

}  // namespace

Table scale_table(const ScaleAnalysis& analysis, const study::StudySpec& spec) {
  const std::vector<ListedPoint> points = listed_points(analysis);
  const std::vector<Column> columns = columns_of(analysis, points, spec);
  Table table{.id = "points",
              .caption = caption_of(analysis, points, spec),
              .header = {},
              .rows = {},
              .details = {"CV (%)", "step / base's", "run time (s)"},
              .keys = analysis.series.size() > 1 ? 2U : 1U};
  for (const Column& column : columns) table.header.push_back(column.title);
  for (const ListedPoint& listed : points) {
    std::vector<std::string> cells;
    for (const Column& column : columns) cells.push_back(column.cell(listed));
    table.add_row(std::move(cells), mark_of(listed.point->statistics, listed.point->oversubscribed));
  }
  if (analysis.answer.fastest) {
    table.rows[listed_index(points, analysis.at(*analysis.answer.fastest))].mark = RowMark::best;
  }
  return table;
}

Section scale_summary(const ScaleAnalysis& analysis, const study::StudySpec& spec) {
  Section section{.id = "summary", .title = "Summary", .blocks = {}};
  const std::vector<ListedPoint> points = listed_points(analysis);
  Highlights highlights = highlights_of(analysis, points);
  if (!highlights.entries.empty()) section.blocks.emplace_back(std::move(highlights));
  for (std::string& text : scale_words(analysis)) section.blocks.emplace_back(Paragraph{std::move(text)});
  if (analysis.all_single) {
    section.blocks.emplace_back(
        Paragraph{"Each point was run once, so nothing is known of how runs differ; an interval, where there "
                  "is one, comes from the steps of the run."});
  }
  if (analysis.any_oversubscribed) {
    section.blocks.emplace_back(
        Notice{.kind = Notice::Kind::warning,
               .title = "Oversubscribed points",
               .text = "Points with more threads than cores are marked, drawn hollow, and left out of the answers."});
  }
  if (analysis.any_disturbed) {
    section.blocks.emplace_back(
        Notice{.kind = Notice::Kind::warning, .title = "Disturbed points", .text = disturbed_text(analysis)});
  }
  section.blocks.emplace_back(scale_table(analysis, spec));
  return section;
}

}  // namespace convoy::report
