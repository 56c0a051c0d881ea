#include "convoy/report/chart/rank_chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/base/odd_numbers_test.h"
#include "convoy/report/chart/text_width.h"
#include "convoy/report/chart/xml_reader_test.h"

namespace convoy::report {
namespace {

using testing::Contains;
using testing::IsSupersetOf;

RankChart three() {
  return {
      .value_title = "time (ms)",
      .bars = {{"middle", {.value = 20}}, {"none", {.value = kNan}}, {"low", {.value = 10}}, {"high", {.value = 40}}}};
}

// The names, ordered by their height in the picture.
std::vector<std::string> order_of(const RankChart& chart) {
  std::vector<std::pair<double, std::string>> found;
  for (const XmlElement& text : named(elements_of(chart), "text")) {
    for (const RankedBar& bar : chart.bars) {
      if (text.text == bar.name) found.emplace_back(text.number("y"), text.text);
    }
  }
  std::ranges::sort(found);
  std::vector<std::string> names;
  for (const auto& [y, name] : found) names.push_back(name);
  return names;
}

TEST(RankChart, TheBestIsOnTopAndTheMissingLast) {
  RankChart chart = three();
  EXPECT_THAT(order_of(chart), testing::ElementsAre("high", "middle", "low", "none"));
  chart.better = Better::lower;
  EXPECT_THAT(order_of(chart), testing::ElementsAre("low", "middle", "high", "none"));
}

TEST(RankChart, WidthsAreProportionalToValues) {
  const auto bars = with_class(named(elements_of(three()), "rect"), "f0");
  ASSERT_EQ(bars.size(), 3U);
  EXPECT_NEAR(bars[0].number("width"), 2 * bars[1].number("width"), 0.2);
  EXPECT_NEAR(bars[0].number("width"), 4 * bars[2].number("width"), 0.3);
  EXPECT_EQ(bars[0].at("x"), bars[2].at("x"));
}

TEST(RankChart, ValuesAreWrittenInsideOfThePicture) {
  RankChart chart = three();
  chart.bars[3].bar = {.value = 123456, .low = 1, .high = 200000};
  for (const XmlElement& text : with_class(elements_of(chart), "value")) {
    EXPECT_LE(text.number("x") + text_width(text.text), kPictureWidth);
  }
  EXPECT_THAT(texts_in(elements_of(three())), IsSupersetOf({"10", "20", "40", "no data"}));
}

TEST(RankChart, ManyBarsAreCutAndThatIsSaid) {
  RankChart chart;
  for (int i = 0; i < 100; ++i) chart.bars.push_back({"bar " + std::to_string(i), {.value = i * 1.0}});
  const auto elements = elements_of(chart);
  EXPECT_EQ(with_class(named(elements, "rect"), "f0").size(), 40U);
  EXPECT_THAT(texts_in(elements), Contains("The first 40 of 100 are shown."));
  EXPECT_THAT(texts_in(elements), Contains("bar 99"));
}

TEST(RankChart, OfNothingSaysSo) {
  EXPECT_THAT(texts_in(elements_of(RankChart{})), Contains("no data"));
  EXPECT_THAT(texts_in(elements_of(RankChart{.bars = {{"a", {}}}})), Contains("no data"));
}

}  // namespace
}  // namespace convoy::report
