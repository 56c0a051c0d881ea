#include "convoy/report/chart/scale.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace convoy::report
