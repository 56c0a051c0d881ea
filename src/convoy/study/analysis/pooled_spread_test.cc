#include "convoy/study/analysis/pooled_spread.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace convoy::study {
namespace {

using testing::ElementsAre;
using Samples = std::vector<std::vector<double>>;

TEST(PooledSpread, IsTheMeanVarianceOfLogarithms) {
  // Deviations of log(1.1) / sqrt(2) and log(1.2) / sqrt(2), at any mean.
  const auto pooled = pool_spread(Samples{{100, 110}, {5000, 6000}});
  ASSERT_TRUE(pooled);
  const double a = std::log(1.1) * std::log(1.1) / 2;
  const double b = std::log(1.2) * std::log(1.2) / 2;
  EXPECT_NEAR(pooled->deviation, std::sqrt((a + b) / 2), 1e-12);
  EXPECT_EQ(pooled->freedom, 2);
  EXPECT_THAT(pooled->agrees, ElementsAre(true, true));
}

TEST(PooledSpread, WeighsPointsByTheirRuns) {
  // Squares around the means: 4 * 0.01^2 of four runs, and 2 * 0.02^2 of two.
  const double a = std::exp(0.01);
  const double b = std::exp(0.02);
  const auto pooled = pool_spread(Samples{{a, 1 / a, a, 1 / a}, {b, 1 / b}});
  ASSERT_TRUE(pooled);
  EXPECT_EQ(pooled->freedom, 4);
  EXPECT_NEAR(pooled->deviation, std::sqrt((4 * 1e-4 + 2 * 4e-4) / 4), 1e-12);
}

TEST(PooledSpread, SingleRunsGoByTheOthers) {
  const auto pooled = pool_spread(Samples{{100, 102}, {50}, {200, 203}});
  ASSERT_TRUE(pooled);
  EXPECT_EQ(pooled->freedom, 2);
  EXPECT_THAT(pooled->agrees, ElementsAre(true, true, true));
}

TEST(PooledSpread, APointThatIsMuchNoisierStaysOutside) {
  const auto pooled = pool_spread(Samples{{100, 101, 102}, {200, 201, 203}, {300, 302, 305}, {50, 100, 200}});
  ASSERT_TRUE(pooled);
  EXPECT_THAT(pooled->agrees, ElementsAre(true, true, true, false));
  EXPECT_LT(pooled->deviation, 0.02);
  EXPECT_EQ(pooled->freedom, 6);
}

TEST(PooledSpread, SmallDifferencesOfSpreadAreChance) {
  const auto pooled = pool_spread(Samples{{100, 101}, {200, 206}, {300, 301}});
  ASSERT_TRUE(pooled);
  EXPECT_THAT(pooled->agrees, ElementsAre(true, true, true));
}

TEST(PooledSpread, NeedsMoreThanOneDegreeOfFreedom) {
  EXPECT_FALSE(pool_spread({}));
  EXPECT_FALSE(pool_spread(Samples{{100}, {200}}));
  EXPECT_FALSE(pool_spread(Samples{{100, 110}, {200}}));
}

TEST(PooledSpread, OfEqualValuesIsNone) {
  const auto pooled = pool_spread(Samples{{100, 100}, {200, 200}});
  ASSERT_TRUE(pooled);
  EXPECT_EQ(pooled->deviation, 0);
}

}  // namespace
}  // namespace convoy::study
