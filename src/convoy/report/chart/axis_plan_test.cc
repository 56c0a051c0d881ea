#include "convoy/report/chart/axis_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace convoy::report {
namespace {

using testing::ElementsAre;

std::vector<std::string> labels_of(const AxisPlan& plan) {
  std::vector<std::string> labels;
  for (const Tick& tick : plan.ticks) labels.push_back(tick.label);
  return labels;
}

TEST(PlanAxis, LinearEndsAtTicksWhereAsked) {
  const AxisPlan plan = plan_axis({}, {.values = {13, 87}, .round_ends = true});
  EXPECT_EQ(plan.scale.low(), 0);
  EXPECT_EQ(plan.scale.high(), 100);
  EXPECT_THAT(labels_of(plan), ElementsAre("0", "20", "40", "60", "80", "100"));
}

TEST(PlanAxis, LinearKeepsItsRangeOtherwise) {
  const AxisPlan plan = plan_axis({}, {.values = {13, 87}});
  EXPECT_EQ(plan.scale.low(), 13);
  EXPECT_EQ(plan.scale.high(), 87);
  EXPECT_THAT(labels_of(plan), ElementsAre("20", "40", "60", "80"));
}

TEST(PlanAxis, IncludesZeroWhereAsked) {
  EXPECT_EQ(plan_axis({.from_zero = true}, {.values = {90, 95}, .round_ends = true}).scale.low(), 0);
  EXPECT_EQ(plan_axis({.from_zero = true}, {.values = {-95, -90}, .round_ends = true}).scale.high(), 0);
  EXPECT_EQ(plan_axis({}, {.values = {90, 95}, .round_ends = true}).scale.low(), 90);
}

TEST(PlanAxis, WholeNumbersHaveNoTicksBetween) {
  EXPECT_THAT(labels_of(plan_axis({}, {.values = {1, 3}, .whole_numbers = true, .max_ticks = 10})),
              ElementsAre("1", "2", "3"));
  EXPECT_THAT(labels_of(plan_axis({}, {.values = {1, 2}, .max_ticks = 3})), ElementsAre("1.0", "1.5", "2.0"));
}

TEST(PlanAxis, PowersOfTwo) {
  const AxisPlan plan = plan_axis({.scale = AxisScale::log2}, {.values = {1, 64}, .max_ticks = 10});
  EXPECT_THAT(labels_of(plan), ElementsAre("1", "2", "4", "8", "16", "32", "64"));
}

TEST(PlanAxis, CategoriesHaveTheirNames) {
  const AxisPlan plan = plan_axis({.scale = AxisScale::categorical, .categories = {"ring", "auto"}}, {});
  EXPECT_THAT(labels_of(plan), ElementsAre("ring", "auto"));
  EXPECT_DOUBLE_EQ(plan.scale.fraction(0), 0.25);
  EXPECT_DOUBLE_EQ(plan.scale.fraction(1), 0.75);
}

TEST(PlanAxis, AnyRangeGivesSomeTicksInside) {
  for (const double low : {-1e300, -1e5, -1.0, 0.0, 1e-200, 1.0, 1e9, 1e299}) {
    for (const double width : {0.0, 1e-250, 1e-12, 1.0, 1e7, 1e300}) {
      const AxisPlan plan = plan_axis({}, {.values = {low, low + width}, .round_ends = true});
      EXPECT_GE(plan.ticks.size(), 2U) << low << " + " << width;
      EXPECT_LE(plan.ticks.size(), 10U) << low << " + " << width;
      EXPECT_GE(plan.scale.fraction(low), -1e-9);
      EXPECT_LE(plan.scale.fraction(low + width), 1 + 1e-9);
    }
  }
}

TEST(IsOnAxis, CategoriesTakePlacesWithAName) {
  const Axis axis{.scale = AxisScale::categorical, .categories = {"a", "b"}};
  EXPECT_TRUE(is_on_axis(0, axis));
  EXPECT_TRUE(is_on_axis(1, axis));
  EXPECT_FALSE(is_on_axis(2, axis));
  EXPECT_FALSE(is_on_axis(-1, axis));
  EXPECT_FALSE(is_on_axis(0.5, axis));
}

}  // namespace
}  // namespace convoy::report
