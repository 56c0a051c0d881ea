#include "convoy/report/figure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "convoy/report/chart/xml_reader_test.h"
#include "convoy/report/sample_figures_test.h"

namespace convoy::report {
namespace {

std::string golden(const std::string& id) {
  const auto path = std::filesystem::path(CONVOY_GOLDEN_FOLDER) / (id + ".svg");
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

// If these files change, reports look different: look at the new ones before accepting them.
TEST(SvgFile, IsTheOneThatWasLookedAt) {
  for (const Figure& figure : sample_figures()) {
    const std::string svg = to_svg_file(figure);
    if (svg == golden(figure.id)) continue;
    const std::string path = testing::TempDir() + figure.id + ".svg";
    std::ofstream(path) << svg;
    ADD_FAILURE() << "golden/" << figure.id << ".svg differs from " << path;
  }
}

TEST(SvgFile, IsWellFormedAndNeedsNothingElse) {
  for (const Figure& figure : sample_figures()) {
    const std::string svg = to_svg_file(figure);
    const auto elements = read_xml(svg);
    EXPECT_EQ(elements.front().at("xmlns"), "http://www.w3.org/2000/svg");
    EXPECT_EQ(svg.find("var("), std::string::npos) << "not all viewers know custom properties";
    EXPECT_EQ(svg.find("href"), std::string::npos);
    EXPECT_NE(svg.find("prefers-color-scheme:dark"), std::string::npos);
  }
}

TEST(SvgFile, HoldsTitleAndDefinition) {
  const auto texts = texts_in(read_xml(to_svg_file(sample_line_figure())));
  EXPECT_THAT(texts, testing::Contains("Throughput & speed"));
  EXPECT_THAT(texts, testing::Contains("Mean of 5 repeats of convoy train; bars are 95 % intervals."));
}

TEST(InlineSvg, IsNamedForScreenReaders) {
  for (const Figure& figure : sample_figures()) {
    const auto elements = read_xml(to_inline_svg(figure));
    EXPECT_EQ(elements[0].name, "svg");
    EXPECT_EQ(elements[0].at("role"), "img");
    EXPECT_EQ(elements[0].at("aria-labelledby"), elements[1].at("id") + " " + elements[2].at("id"));
    EXPECT_EQ(elements[1].name, "title");
    EXPECT_EQ(elements[1].text, figure.title);
    EXPECT_EQ(elements[2].name, "desc");
    EXPECT_FALSE(elements[2].text.empty());
  }
}

TEST(InlineSvg, ScalesWithItsBox) {
  const auto svg = read_xml(to_inline_svg(sample_bar_figure())).front();
  EXPECT_TRUE(svg.at("viewBox").starts_with("0 0 720 "));
  EXPECT_EQ(svg.at("width"), "");
}

TEST(InlineSvg, TextStaysInsideOfThePicture) {
  for (const Figure& figure : sample_figures()) {
    const auto elements = read_xml(to_inline_svg(figure));
    const double height = std::stod(elements[0].at("viewBox").substr(8));
    EXPECT_FALSE(named(elements, "text").empty());
    for (const XmlElement& text : named(elements, "text")) {
      EXPECT_LE(text.number("x"), 720);
      EXPECT_LE(text.number("y"), height);
    }
  }
}

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
