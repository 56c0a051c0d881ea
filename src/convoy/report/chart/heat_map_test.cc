#include "convoy/report/chart/heat_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/base/odd_numbers_test.h"
#include "convoy/report/chart/xml_reader_test.h"

namespace convoy::report {
namespace {

using testing::Contains;

HeatMap two_by_three() {
  return {.row_title = "rate",
          .column_title = "batch",
          .value_title = "accuracy (%)",
          .rows = {"0.1", "1"},
          .columns = {"32", "64", "128"},
          .values = {{10, 50, 90}, {20, kNan, 60}}};
}

TEST(HeatMap, CellsAreInTheirRowAndColumn) {
  const auto cells = with_class(elements_of(two_by_three()), "cell");
  ASSERT_EQ(cells.size(), 5U);
  EXPECT_EQ(cells[0].at("y"), cells[2].at("y"));
  EXPECT_EQ(cells[0].at("x"), cells[3].at("x"));
  EXPECT_EQ(cells[2].at("x"), cells[4].at("x"));
  EXPECT_NEAR(cells[1].number("x"), cells[0].number("x") + cells[0].number("width"), 0.11);
  EXPECT_NEAR(cells[3].number("y"), cells[0].number("y") + cells[0].number("height"), 0.11);
}

TEST(HeatMap, ShadesGrowWithValues) {
  const auto cells = with_class(elements_of(two_by_three()), "cell");
  EXPECT_TRUE(cells[0].has_class("h0"));
  EXPECT_TRUE(cells[1].has_class("h4"));
  EXPECT_TRUE(cells[2].has_class("h8"));
}

TEST(HeatMap, ShadesOfLogarithmicMapsGoByFactors) {
  HeatMap map = two_by_three();
  map.values = {{1, 100, 10000}};
  map.logarithmic = true;
  const auto cells = with_class(elements_of(map), "cell");
  ASSERT_EQ(cells.size(), 3U);
  EXPECT_TRUE(cells[1].has_class("h4"));
}

TEST(HeatMap, TheBestCellIsMarked) {
  HeatMap map = two_by_three();
  EXPECT_THAT(texts_in(elements_of(map)), Contains("★ 90.0"));
  map.better = Better::lower;
  const auto elements = elements_of(map);
  EXPECT_THAT(texts_in(elements), Contains("★ 10.0"));
  const auto frames = with_class(elements, "best");
  ASSERT_EQ(frames.size(), 2U) << "the legend and the cell";
  EXPECT_NEAR(frames[1].number("x"), with_class(elements, "cell")[0].number("x") + 1, 0.11);
}

TEST(HeatMap, MissingCellsAreHatched) {
  const auto elements = elements_of(two_by_three());
  std::size_t hatched = 0;
  for (const XmlElement& rect : named(elements, "rect")) hatched += rect.at("fill") == "url(#Chart-x-missing)" ? 1 : 0;
  EXPECT_EQ(hatched, 2U) << "the legend and the cell";
  EXPECT_THAT(texts_in(elements), Contains("missing"));
}

TEST(HeatMap, EqualValuesHaveOneShade) {
  HeatMap map = two_by_three();
  map.values = {{5, 5, 5}, {5, 5, 5}};
  const auto cells = with_class(elements_of(map), "cell");
  ASSERT_EQ(cells.size(), 6U);
  for (const XmlElement& cell : cells) EXPECT_TRUE(cell.has_class("h4"));
}

TEST(HeatMap, NumbersThatDoNotFitAreOnlyTips) {
  HeatMap map{.rows = {"r"}};
  map.values.emplace_back();
  for (int i = 0; i < 60; ++i) {
    map.columns.push_back(std::to_string(i));
    map.values[0].push_back(1000.0 + i);
  }
  const auto elements = elements_of(map);
  EXPECT_EQ(with_class(elements, "cell").size(), 60U);
  EXPECT_EQ(with_class(elements, "on-pale").size(), 0U);
  EXPECT_EQ(named(elements, "title").size(), 60U);
}

TEST(HeatMap, OfNothingSaysSo) {
  EXPECT_THAT(texts_in(elements_of(HeatMap{})), Contains("no data"));
  EXPECT_THAT(texts_in(elements_of(HeatMap{.rows = {"a"}, .columns = {"b"}, .values = {{kNan}}})), Contains("no data"));
}

TEST(HeatMap, RefusesValuesBesideTheGrid) {
  HeatMap map = two_by_three();
  map.values[0].push_back(1);
  EXPECT_THROW(static_cast<void>(draw(map, "x")), InternalError);
}

}  // namespace
}  // namespace convoy::report
