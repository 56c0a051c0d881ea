#include "convoy/report/chart/bar_chart.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/base/odd_numbers_test.h"
#include "convoy/report/chart/xml_reader_test.h"

namespace convoy::report {
namespace {

using testing::Contains;

BarChart two_by_two() {
  return {.group_title = "workers",
          .value_title = "rate",
          .groups = {"1", "2"},
          .series = {{.bars = {{10}, {20}}}, {.bars = {{40}, {30}}}}};
}

std::vector<XmlElement> bars_of(const std::vector<XmlElement>& elements, const char* colour) {
  return with_class(named(elements, "rect"), colour);
}

TEST(BarChart, HeightsAreProportionalToValues) {
  const auto elements = elements_of(two_by_two());
  const auto first = bars_of(elements, "f0");
  const auto second = bars_of(elements, "f1");
  ASSERT_EQ(first.size(), 2U);
  ASSERT_EQ(second.size(), 2U);
  const double unit = first[0].number("height") / 10;
  EXPECT_NEAR(first[1].number("height"), 20 * unit, 0.2);
  EXPECT_NEAR(second[0].number("height"), 40 * unit, 0.4);
  EXPECT_NEAR(second[1].number("height"), 30 * unit, 0.3);
}

TEST(BarChart, BarsStandOnOneLineSideBySide) {
  const auto elements = elements_of(two_by_two());
  const auto first = bars_of(elements, "f0");
  const auto second = bars_of(elements, "f1");
  for (const XmlElement& bar : {first[0], first[1], second[0], second[1]}) {
    EXPECT_NEAR(bar.number("y") + bar.number("height"), first[0].number("y") + first[0].number("height"), 0.11);
  }
  EXPECT_GE(second[0].number("x"), first[0].number("x") + first[0].number("width"));
  EXPECT_GT(first[1].number("x"), second[0].number("x") + second[0].number("width") + 10);
}

TEST(BarChart, SeriesDifferByHatchingToo) {
  const auto elements = elements_of(two_by_two());
  const auto patterns = named(elements, "pattern");
  ASSERT_EQ(patterns.size(), 1U);
  std::size_t hatched = 0;
  for (const XmlElement& rect : named(elements, "rect")) {
    hatched += rect.at("fill") == "url(#" + patterns[0].at("id") + ")" ? 1 : 0;
  }
  EXPECT_EQ(hatched, 2U);
}

TEST(BarChart, NegativeBarsHangFromTheLine) {
  BarChart chart = two_by_two();
  chart.series = {{.bars = {{10}, {-10}}}};
  const auto bars = bars_of(elements_of(chart), "f0");
  ASSERT_EQ(bars.size(), 2U);
  EXPECT_NEAR(bars[0].number("y") + bars[0].number("height"), bars[1].number("y"), 0.11);
}

TEST(BarChart, MissingBarsAreLeftOutAndInfiniteOnesCounted) {
  BarChart chart = two_by_two();
  chart.series = {{.bars = {{kNan}, {20}}}, {.bars = {{kInfinity}}}};
  const auto elements = elements_of(chart);
  EXPECT_EQ(bars_of(elements, "f0").size(), 1U);
  EXPECT_EQ(bars_of(elements, "f1").size(), 0U);
  EXPECT_THAT(texts_in(elements), Contains("1 value is left out: it is not a finite number."));
}

TEST(BarChart, IntervalsAreDrawnForBarsThatHaveThem) {
  BarChart chart = two_by_two();
  chart.series[0].bars[1] = {.value = 20, .low = 18, .high = 23};
  EXPECT_EQ(with_class(elements_of(chart), "whisker").size(), 1U);
}

TEST(BarChart, HollowBarsAreExplained) {
  BarChart chart = two_by_two();
  chart.series[0].bars[1].hollow = true;
  chart.hollow_means = "one repeat";
  const auto elements = elements_of(chart);
  EXPECT_EQ(with_class(elements, "hollow-bar").size(), 2U) << "the bar and the legend";
  EXPECT_THAT(texts_in(elements), Contains("one repeat"));
}

TEST(BarChart, ZerosAreBarsWithoutHeight) {
  BarChart chart = two_by_two();
  chart.series = {{.bars = {{0}, {0}}}};
  const auto bars = bars_of(elements_of(chart), "f0");
  ASSERT_EQ(bars.size(), 2U);
  EXPECT_EQ(bars[0].number("height"), 0);
}

TEST(BarChart, HundredsOfGroupsFit) {
  BarChart chart{.series = {{.name = "s"}}};
  for (int i = 0; i < 300; ++i) {
    chart.groups.push_back("a setting of some length " + std::to_string(i));
    chart.series[0].bars.push_back({.value = 1.0 + i});
  }
  const auto elements = elements_of(chart);
  EXPECT_EQ(bars_of(elements, "f0").size(), 301U) << "bars and the legend";
  EXPECT_LT(texts_in(elements).size(), 60U);
}

TEST(BarChart, OfNothingSaysSo) {
  EXPECT_THAT(texts_in(elements_of(BarChart{})), Contains("no data"));
  EXPECT_THAT(texts_in(elements_of(BarChart{.groups = {"a"}, .series = {{.bars = {{kNan}}}}})), Contains("no data"));
}

TEST(BarChart, RefusesMoreBarsThanGroups) {
  const BarChart chart{.groups = {"a"}, .series = {{.bars = {{1}, {2}}}}};
  EXPECT_THROW(static_cast<void>(draw(chart, "x")), InternalError);
}

using testing::Contains;

// The swatches of the legend come first.
std::vector<XmlElement> part_bars(const std::vector<XmlElement>& elements, const char* colour) {
  auto rects = with_class(named(elements, "rect"), colour);
  rects.erase(rects.begin());
  return rects;
}

TEST(StackedBarChart, SharesAddUpToTheWholeHeight) {
  const StackedBarChart chart{.parts = {"a", "b"}, .stacks = {{"1", {3, 1}}, {"2", {500, 500}}}};
  const auto elements = elements_of(chart);
  const auto a = part_bars(elements, "f0");
  const auto b = part_bars(elements, "f1");
  ASSERT_EQ(a.size(), 2U);
  ASSERT_EQ(b.size(), 2U);
  EXPECT_NEAR(a[0].number("height"), 3 * b[0].number("height"), 0.3);
  EXPECT_NEAR(a[1].number("height"), b[1].number("height"), 0.2);
  EXPECT_NEAR(a[0].number("height") + b[0].number("height"), a[1].number("height") + b[1].number("height"), 0.2);
  EXPECT_NEAR(b[0].number("y") + b[0].number("height"), a[0].number("y"), 0.2) << "b stands on a";
  EXPECT_THAT(texts_in(elements), Contains("75 %"));
}

TEST(StackedBarChart, PartsThatMakeNoWholeAreLeftOutAndCounted) {
  const StackedBarChart chart{
      .parts = {"a", "b"},
      .stacks = {{"ok", {1, 1}}, {"nan", {1, kNan}}, {"negative", {1, -1}}, {"zero", {0, 0}}, {"short", {1}}}};
  const auto elements = elements_of(chart);
  EXPECT_EQ(part_bars(elements, "f0").size(), 1U);
  EXPECT_THAT(texts_in(elements), Contains("4 bars are left out: their parts make no whole."));
}

TEST(StackedBarChart, MakesRoomForLongNamesOfItsFirstBars) {
  StackedBarChart chart{.parts = {"a"}, .stacks = {}};
  for (int i = 0; i < 16; ++i) chart.stacks.push_back({fmt::format("{} hierarchical weak", i), {1}});
  EXPECT_THAT(texts_in(elements_of(chart)), Contains("0 hierarchical weak"));
}

TEST(StackedBarChart, LargeAmountsDoNotOverflow) {
  const StackedBarChart chart{.parts = {"a", "b"}, .stacks = {{"1", {1e300, 1e300}}}};
  EXPECT_THAT(texts_in(elements_of(chart)), Contains("50 %"));
}

TEST(StackedBarChart, APartOfNothingHasNoBar) {
  const StackedBarChart chart{.parts = {"a", "b"}, .stacks = {{"1", {1, 0}}}};
  EXPECT_EQ(part_bars(elements_of(chart), "f1").size(), 0U);
}

TEST(StackedBarChart, OfNothingSaysSo) {
  EXPECT_THAT(texts_in(elements_of(StackedBarChart{})), Contains("no data"));
  EXPECT_THAT(texts_in(elements_of(StackedBarChart{.parts = {"a"}, .stacks = {{"1", {0}}}})), Contains("no data"));
}

}  // namespace

}  // namespace convoy::report
