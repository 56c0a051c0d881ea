#include <gtest/gtest.h>

#include <vector>

#include "convoy/study/analysis/scale_series.h"

namespace convoy::study {
namespace {

ScalePoint point(std::int64_t size, double throughput, bool oversubscribed = false) {
  ScalePoint point{.size = size, .oversubscribed = oversubscribed};
  point.statistics.throughput = summarize(std::vector{throughput});
  return point;
}

TEST(PayOff, EndsBeforeTheFirstStepThatBringsTooLittle) {
  const ScaleSeries series{.points = {point(1, 100), point(2, 190), point(4, 310), point(8, 390), point(16, 900)}};
  const auto answer = pay_off(series);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->size, 4);
  ASSERT_TRUE(answer->last);
  EXPECT_EQ(answer->last->from, 2);
  EXPECT_DOUBLE_EQ(answer->last->gain, 0.6);
  ASSERT_TRUE(answer->not_worth);
  EXPECT_EQ(answer->not_worth->to, 8);
  EXPECT_DOUBLE_EQ(answer->not_worth->gain, 0.2);
  EXPECT_EQ(answer->largest_measured, 16);
}

TEST(PayOff, PassesOverASizeThatIsSlowerThanItsNeighbours) {
  const auto answer = pay_off({.points = {point(1, 100), point(2, 110), point(4, 350), point(8, 360)}});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->size, 4);
  EXPECT_EQ(answer->last->from, 1);
  EXPECT_NEAR(answer->last->gain, 250.0 / 3 / 100, 1e-9);
  EXPECT_EQ(answer->not_worth->from, 4);
}

TEST(PayOff, LeavesOutOversubscribedAndUnmeasuredPoints) {
  const ScaleSeries series{.points = {point(1, 100), ScalePoint{.size = 2}, point(3, 250), point(4, 900, true)}};
  const auto answer = pay_off(series);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->size, 3);
  EXPECT_DOUBLE_EQ(answer->last->gain, 0.75);
  EXPECT_FALSE(answer->not_worth);
  EXPECT_EQ(answer->largest_measured, 3);
}

TEST(PayOff, IsTheBaseWhenMoreIsSlower) {
  const auto answer = pay_off({.points = {point(2, 100), point(4, 80)}});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->size, 2);
  EXPECT_FALSE(answer->last);
  EXPECT_DOUBLE_EQ(answer->not_worth->gain, -0.2);
}

TEST(PayOff, NeedsTwoSizes) {
  EXPECT_FALSE(pay_off({.points = {point(1, 100)}}));
  EXPECT_FALSE(pay_off({.points = {point(1, 100), point(2, 200, true)}}));
  EXPECT_NE(why_no_pay_off({.points = {point(1, 100)}}).find("fewer than two sizes"), std::string::npos);
  EXPECT_EQ(why_no_pay_off({.points = {point(1, 100), point(2, 200)}}), "");
}

TEST(PayOff, NeedsABaseThatNobodyDisturbed) {
  const ScaleSeries series{.points = {point(1, 100), point(2, 200)}, .base_is_disturbed = true};
  EXPECT_FALSE(pay_off(series));
  EXPECT_NE(why_no_pay_off(series).find("others used the cores"), std::string::npos);
}

TEST(SizeSteps, GoFromEachSizeToTheNext) {
  const std::vector<SizeStep> steps =
      size_steps({.points = {point(1, 100), point(2, 190), point(4, 900, true), point(8, 250)}});
  ASSERT_EQ(steps.size(), 2U) << "the oversubscribed one is none";
  EXPECT_DOUBLE_EQ(steps[0].gain, 0.9);
  EXPECT_DOUBLE_EQ(steps[0].ratio, 1.9);
  EXPECT_TRUE(steps[0].is_worthwhile());
  EXPECT_EQ(steps[1].from, 2);
  EXPECT_EQ(steps[1].to, 8);
  EXPECT_DOUBLE_EQ(steps[1].gain, 0.1);
  EXPECT_FALSE(steps[1].is_worthwhile());
  EXPECT_TRUE(size_steps({.points = {point(1, 100)}}).empty());
}

}  // namespace
}  // namespace convoy::study
