// One small figure of each kind, for tests.
#pragma once

#include <limits>
#include <vector>

#include "convoy/report/figure.h"

namespace convoy::report {

inline Figure sample_line_figure() {
  LineChart chart{.x = {.title = "workers", .scale = AxisScale::log2},
                  .y = {.title = "throughput (images/s)", .from_zero = true}};
  chart.series = {{.name = "ring", .points = {{1, 300, 290, 310}, {2, 580, 560, 600}, {4, 900, 850, 950, true}}},
                  {.name = "auto <default>", .points = {{1, 300}, {2, 590}, {4, 1100}}},
                  {.name = "ideal", .points = {{1, 300}, {4, 1200}}, .dashed = true}};
  chart.hollow_means = "more ranks than cores";
  Table data{.caption = "Throughput", .header = {"workers", "images/s"}};
  data.add_row({"1", "300"});
  data.add_row({"2", "580"}, RowMark::best);
  data.add_row({"4", "900"}, RowMark::doubtful);
  return {.id = "throughput",
          .title = "Throughput & speed",
          .definition = "Mean of 5 repeats of `convoy train`; bars are 95 % intervals.",
          .chart = chart,
          .data = data};
}

inline Figure sample_bar_figure() {
  return {.id = "bars",
          .title = "Bars",
          .chart = BarChart{.group_title = "model",
                            .value_title = "time (s)",
                            .groups = {"LeNet-5", "ResNet-20"},
                            .series = {{"this", {{10, 9, 11}, {25}}}, {"that", {{12}, {31, 30, 33, true}}}},
                            .hollow_means = "one repeat"}};
}

inline Figure sample_rank_figure() {
  return {
      .id = "ranks",
      .title = "Ranks",
      .chart = RankChart{.value_title = "time (ms)",
                         .bars = {{"slow", {.value = 30}}, {"fast", {.value = 10, .low = 9, .high = 12}}, {"none", {}}},
                         .better = Better::lower}};
}

inline Figure sample_stacked_figure() {
  return {.id = "shares",
          .title = "Shares",
          .chart = StackedBarChart{.stack_title = "workers",
                                   .share_title = "share of step time (%)",
                                   .parts = {"compute", "exposed communication", "input"},
                                   .stacks = {{"1", {95, 0, 5}}, {"4", {70, 25, 5}}}}};
}

inline Figure sample_heat_figure() {
  return {.id = "heat",
          .title = "Heat",
          .chart = HeatMap{.row_title = "learning rate",
                           .column_title = "global batch",
                           .value_title = "accuracy (%)",
                           .rows = {"0.1", "1"},
                           .columns = {"32", "64"},
                           .values = {{91.2, 92.5}, {80, std::numeric_limits<double>::quiet_NaN()}}}};
}

inline std::vector<Figure> sample_figures() {
  return {sample_line_figure(), sample_bar_figure(), sample_rank_figure(), sample_stacked_figure(),
          sample_heat_figure()};
}

}  // namespace convoy::report
