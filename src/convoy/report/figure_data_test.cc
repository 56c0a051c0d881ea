#include "convoy/report/figure_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace convoy::report {
namespace {

using ::testing::ElementsAre;

TEST(FigureData, OfLinesLeavesOutComputedOnesAndNeedlessColumns) {
  LineChart chart{.x = {.title = "workers", .categories = {}}, .y = {.title = "rate", .categories = {}}, .series = {}};
  chart.series.push_back({.name = "a", .points = {{.x = 1, .y = 1234567, .low = {}, .high = {}}}});
  chart.series.push_back({.name = "ideal", .points = {{.x = 1, .y = 9, .low = {}, .high = {}}}, .dashed = true});
  const Table table = chart_data(chart);
  EXPECT_THAT(table.header, ElementsAre("series", "workers", "rate"));
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_THAT(table.rows[0].cells, ElementsAre("a", "1", "1.23457e+06"));
}

TEST(FigureData, HasIntervalsAndDoubts) {
  LineChart chart{.x = {.title = "x", .categories = {}}, .y = {.title = "y", .categories = {}}, .series = {}};
  chart.series.push_back(
      {.name = "a",
       .points = {{.x = 1, .y = 2, .low = 1.5, .high = 2.5}, {.x = 2, .y = 3, .low = {}, .high = {}, .hollow = true}}});
  const Table table = chart_data(chart);
  EXPECT_THAT(table.header, ElementsAre("series", "x", "y", "interval from", "interval to", "doubtful"));
  EXPECT_THAT(table.rows[0].cells, ElementsAre("a", "1", "2", "1.5", "2.5", ""));
  EXPECT_THAT(table.rows[1].cells, ElementsAre("a", "2", "3", "-", "-", "yes"));
  EXPECT_EQ(table.rows[1].mark, RowMark::doubtful);
}

TEST(FigureData, OfBarsLeavesOutMissingOnes) {
  BarChart chart{.group_title = "workers", .value_title = "rate", .groups = {"2", "4"}, .series = {}};
  chart.series.push_back({.name = "ring", .bars = {{}, {.value = 7}}});
  const Table table = chart_data(chart);
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_THAT(table.rows[0].cells, ElementsAre("4", "ring", "7"));
}

TEST(FigureData, OfRanksKeepsThoseWithoutAValue) {
  const RankChart chart{.value_title = "loss", .bars = {{"a", {.value = 1}}, {"b", {}}}};
  const Table table = chart_data(chart);
  EXPECT_THAT(table.rows[1].cells, ElementsAre("b", "-"));
}

TEST(FigureData, OfStacksAndMaps) {
  const StackedBarChart stacks{
      .stack_title = "run", .share_title = "share", .parts = {"p", "q"}, .stacks = {{"a", {60, 40}}}};
  EXPECT_THAT(chart_data(stacks).header, ElementsAre("run", "p", "q"));
  EXPECT_THAT(chart_data(stacks).rows[0].cells, ElementsAre("a", "60", "40"));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const HeatMap map{.row_title = "batch",
                    .column_title = "lr",
                    .value_title = "loss",
                    .rows = {"32"},
                    .columns = {"0.1", "1"},
                    .values = {{2, nan}}};
  EXPECT_THAT(chart_data(map).rows[0].cells, ElementsAre("32", "0.1", "2"));
  EXPECT_THAT(chart_data(map).rows[1].cells, ElementsAre("32", "1", "-"));
}

}  // namespace
}  // namespace convoy::report
