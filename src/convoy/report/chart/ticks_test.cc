#include "convoy/report/chart/ticks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace convoy::report {
namespace {

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

}  // namespace
}  // namespace convoy::report
