#include "convoy/report/chart/stacked_bar_chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/base/odd_numbers_test.h"
#include "convoy/report/chart/xml_reader_test.h"

namespace convoy::report {
namespace {

using testing::Contains;

// The legend's swatches come first.
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
