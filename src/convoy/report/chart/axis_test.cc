#include "convoy/report/chart/axis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "convoy/base/error.h"
#include "convoy/base/odd_numbers_test.h"

namespace convoy::report {
namespace {

TEST(Scale, LinearIsProportional) {
  const Scale scale(AxisScale::linear, -10, 30);
  EXPECT_DOUBLE_EQ(scale.fraction(-10), 0);
  EXPECT_DOUBLE_EQ(scale.fraction(0), 0.25);
  EXPECT_DOUBLE_EQ(scale.fraction(30), 1);
}

TEST(Scale, LogarithmicGoesByFactors) {
  const Scale scale(AxisScale::log10, 0.1, 1000);
  EXPECT_NEAR(scale.fraction(0.1), 0, 1e-12);
  EXPECT_NEAR(scale.fraction(1), 0.25, 1e-12);
  EXPECT_NEAR(scale.fraction(10), 0.5, 1e-12);
  EXPECT_NEAR(scale.fraction(1000), 1, 1e-12);
  EXPECT_NEAR(Scale(AxisScale::log2, 1, 16).fraction(4), 0.5, 1e-12);
}

TEST(Scale, LogarithmicPutsZeroAtTheLowEnd) {
  const Scale scale(AxisScale::log10, 1, 10);
  EXPECT_EQ(scale.fraction(0), 0);
  EXPECT_EQ(scale.fraction(-3), 0);
}

TEST(Scale, SpansWhatDoublesCan) {
  const Scale linear(AxisScale::linear, -1e300, 1e300);
  EXPECT_DOUBLE_EQ(linear.fraction(0), 0.5);
  const Scale logarithmic(AxisScale::log10, 1e-300, 1e300);
  EXPECT_NEAR(logarithmic.fraction(1), 0.5, 1e-12);
}

TEST(Scale, RefusesAnEmptyRange) {
  EXPECT_THAT([] { Scale(AxisScale::linear, 1, 1); }, testing::Throws<InternalError>());
  EXPECT_THAT([] { Scale(AxisScale::log10, 0, 1); }, testing::Throws<InternalError>());
}

TEST(IsDrawable, RefusesWhatHasNoPlace) {
  EXPECT_TRUE(is_drawable(0, AxisScale::linear));
  EXPECT_TRUE(is_drawable(-5, AxisScale::linear));
  EXPECT_FALSE(is_drawable(kNan, AxisScale::linear));
  EXPECT_FALSE(is_drawable(kInfinity, AxisScale::linear));
  EXPECT_FALSE(is_drawable(-1e301, AxisScale::linear));
  EXPECT_FALSE(is_drawable(0, AxisScale::log2));
  EXPECT_FALSE(is_drawable(-1, AxisScale::log10));
  EXPECT_TRUE(is_drawable(1e-9, AxisScale::log10));
}

TEST(Widened, GivesEqualValuesRoom) {
  for (const double value : {5.0, -5.0, 0.0, 1e200, -1e-200, 1e-310}) {
    const Extent extent = widened({value, value}, AxisScale::linear);
    EXPECT_LT(extent.low, extent.high) << value;
    EXPECT_LE(extent.low, value);
    EXPECT_GE(extent.high, value);
  }
  const Extent powers = widened({8, 8}, AxisScale::log2);
  EXPECT_EQ(powers.low, 4);
  EXPECT_EQ(powers.high, 16);
}

TEST(Widened, LeavesARangeAlone) {
  const Extent extent = widened({1, 2}, AxisScale::linear);
  EXPECT_EQ(extent.low, 1);
  EXPECT_EQ(extent.high, 2);
}

using testing::DoubleNear;
using testing::ElementsAre;

TEST(NiceStep, IsOneTwoOrFiveTimesAPowerOfTen) {
  EXPECT_DOUBLE_EQ(nice_step(10, 10), 1);
  EXPECT_DOUBLE_EQ(nice_step(11, 10), 2);
  EXPECT_DOUBLE_EQ(nice_step(100, 6), 20);
  EXPECT_DOUBLE_EQ(nice_step(0.3, 6), 0.05);
  EXPECT_DOUBLE_EQ(nice_step(7, 1), 10);
  for (double range = 1e-12; range < 1e12; range *= 1.37) {
    const double step = nice_step(range, 6);
    EXPECT_LE(range / step, 6 * (1 + 1e-9));
    EXPECT_GT(range / step, 6 / 2.5 * (1 - 1e-9)) << "the next smaller step would do for " << range;
    const double mantissa = step / std::pow(10.0, std::floor(std::log10(step * 1.0001)));
    EXPECT_TRUE(std::abs(mantissa - 1) < 1e-6 || std::abs(mantissa - 2) < 1e-6 || std::abs(mantissa - 5) < 1e-6)
        << step;
  }
}

TEST(MultiplesIn, TakesBothEnds) {
  EXPECT_THAT(multiples_in(0, 10, 5), ElementsAre(0, 5, 10));
  EXPECT_THAT(multiples_in(-1, 1, 0.5), ElementsAre(-1, -0.5, 0, 0.5, 1));
  EXPECT_THAT(multiples_in(0.1, 0.3, 0.1),
              ElementsAre(DoubleNear(0.1, 1e-12), DoubleNear(0.2, 1e-12), DoubleNear(0.3, 1e-12)));
  EXPECT_THAT(multiples_in(1.2, 1.8, 1), ElementsAre());
}

TEST(LogTicks, ArePowersOfTheBase) {
  EXPECT_THAT(log_ticks(2, 1, 16, 10), ElementsAre(1, 2, 4, 8, 16));
  EXPECT_THAT(log_ticks(2, 3, 40, 10), ElementsAre(4, 8, 16, 32));
  EXPECT_THAT(log_ticks(10, 1, 1000, 6), ElementsAre(1, 10, 100, 1000));
}

TEST(LogTicks, AreThinnedOut) {
  const auto ticks = log_ticks(10, 1e-12, 1e12, 6);
  EXPECT_LE(ticks.size(), 6U);
  EXPECT_GE(ticks.size(), 3U);
  EXPECT_NEAR(ticks[1] / ticks[0], ticks[2] / ticks[1], 1e-6 * ticks[1] / ticks[0]);
}

TEST(LogTicks, AreFinerInANarrowRange) {
  EXPECT_THAT(log_ticks(10, 0.9, 30, 6), ElementsAre(1, 2, 5, 10, 20));
  EXPECT_GE(log_ticks(10, 3, 4, 6).size(), 2U);
  EXPECT_GE(log_ticks(2, 5, 7, 6).size(), 2U);
  for (const double tick : log_ticks(10, 3, 4, 6)) {
    EXPECT_GE(tick, 3 - 1e-6);
    EXPECT_LE(tick, 4 + 1e-6);
  }
}

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

TEST(IncludeEnds, OfIntervalsThatTellSomething) {
  Extent values{.low = 100, .high = 400};
  Omitted omitted;
  include_ends(values, std::vector{90.0, 110.0, 350.0, 600.0}, AxisScale::linear, omitted);
  EXPECT_EQ(values.low, 90);
  EXPECT_EQ(values.high, 600);
  EXPECT_TRUE(omitted.notes().empty());
}

TEST(IncludeEnds, CutsThoseThatWouldFlattenTheValues) {
  Extent values{.low = 100, .high = 400};
  Omitted omitted;
  include_ends(values, std::vector{0.001, 791742.0}, AxisScale::linear, omitted);
  EXPECT_EQ(values.high, 800);
  ASSERT_EQ(omitted.notes().size(), 1U);
  EXPECT_EQ(omitted.notes()[0], "Intervals that are far wider than the values are cut at the edge.");
  Extent logarithmic{.low = 100, .high = 400};
  include_ends(logarithmic, std::vector{0.001, 791742.0}, AxisScale::log2, omitted);
  EXPECT_EQ(logarithmic.low, 10);
  EXPECT_EQ(logarithmic.high, 4000);
}

TEST(Scale, WhatLiesBeyondAnEndIsAtThatEnd) {
  EXPECT_EQ(Scale(AxisScale::linear, 0, 10).fraction(25), 1);
  EXPECT_EQ(Scale(AxisScale::log2, 1, 8).fraction(0.5), 0);
}

}  // namespace

}  // namespace convoy::report
