#include "convoy/report/study/all_reduce_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "convoy/base/number_text.h"
#include "convoy/report/cell_text.h"
#include "convoy/report/figure_data.h"
#include "convoy/report/glossary.h"
#include "convoy/report/study/scale_points.h"
#include "convoy/report/study/summary_point.h"

namespace convoy::report {
namespace {

using study::AllReduceChoice;
using study::MeasuredAllReduce;
using Choices = std::vector<AllReduceChoice>;

Bar& bar_of(BarChart& chart, const std::string& name, std::size_t group) {
  auto series = std::ranges::find(chart.series, name, &BarSeries::name);
  if (series == chart.series.end()) {
    series = chart.series.insert(chart.series.end(), {.name = name, .bars = {}});
  }
  if (series->bars.size() <= group) series->bars.resize(group + 1);
  return series->bars[group];
}

BarChart bars_of(const Choices& choices, const std::string& size_key) {
  BarChart chart{.group_title = size_key, .value_title = "throughput (samples/s)", .groups = {}, .series = {}};
  for (const AllReduceChoice& choice : choices) {
    chart.groups.push_back(fmt::format("{}", choice.size));
    if (choice.oversubscribed) chart.hollow_means = kOversubscribedMeans;
    // By name, so that colours do not depend on who won.
    std::vector<MeasuredAllReduce> measured = choice.measured;
    std::ranges::sort(measured, {}, &MeasuredAllReduce::name);
    for (const MeasuredAllReduce& each : measured) {
      bar_of(chart, each.name, chart.groups.size() - 1) =
          summary_bar(each.throughput, {.hollow = choice.oversubscribed});
    }
  }
  return chart;
}

std::string lead_cell(const AllReduceChoice& choice) {
  if (!choice.is_repeated()) return "-";
  return fmt::format("{} to {}", significant_text(choice.lead.value - choice.lead.half_width_95),
                     significant_text(choice.lead.value + choice.lead.half_width_95));
}

std::string decided_cell(const AllReduceChoice& choice) {
  if (!choice.is_repeated()) return "not known: measured once";
  return choice.is_decided() ? "yes" : "no";
}

Table table_of(const Choices& choices, const std::string& size_key) {
  Table table{.id = "all-reduce-lead",
              .caption = "The fastest all-reduce and its lead over the second",
              .header = {"scaling", size_key, "fastest", "samples/s", "second", "its samples/s", "lead (samples/s)",
                         "95 % interval", "more than the spread?", "remarks"},
              .rows = {}};
  for (const AllReduceChoice& choice : choices) {
    table.add_row(
        {choice.circumstances.empty() ? "all" : choice.circumstances, fmt::format("{}", choice.size),
         choice.measured[0].name, significant_text(choice.measured[0].throughput.mean), choice.measured[1].name,
         significant_text(choice.measured[1].throughput.mean), significant_text(choice.lead.value), lead_cell(choice),
         decided_cell(choice), choice.oversubscribed ? "oversubscribed" : ""},
        choice.oversubscribed ? RowMark::doubtful : RowMark::none);
  }
  return table;
}

}  // namespace

std::optional<Section> all_reduce_section(const study::ScaleAnalysis& analysis) {
  const Choices& choices = analysis.all_reduces;
  if (choices.empty()) return std::nullopt;
  Section section{.id = "all-reduce", .title = "All-reduce", .blocks = {}};
  std::map<std::string, Choices> groups;
  for (const AllReduceChoice& choice : choices) groups[choice.circumstances].push_back(choice);
  for (const auto& [circumstances, group] : groups) {
    const std::string number = groups.size() == 1 ? "" : fmt::format("-{}", section.blocks.size() + 1);
    const std::string which = circumstances.empty() ? "" : fmt::format(" ({})", circumstances);
    section.blocks.emplace_back(make_figure("all-reduce" + number, "Throughput by all-reduce" + which,
                                            meanings({Term::throughput, Term::interval}),
                                            bars_of(group, analysis.size_key)));
  }
  section.blocks.emplace_back(table_of(choices, analysis.size_key));
  section.blocks.emplace_back(
      Paragraph{"The interval is Welch's of the difference of two means. One that holds zero decides nothing: more "
                "repeats may, or the two are as good as each other."});
  return section;
}

}  // namespace convoy::report
