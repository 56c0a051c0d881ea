#include "convoy/study/analysis/point_statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "convoy/study/analysis/small_results_test.h"

namespace convoy::study {
namespace {

using testing::ElementsAre;
using Samples = std::vector<std::vector<double>>;

TEST(PooledSpread, IsTheMeanVarianceOfLogarithms) {
  // The deviations are log(1.1) / sqrt(2) and log(1.2) / sqrt(2), whatever the means.
  const auto pooled = pool_spread(Samples{{100, 110}, {5000, 6000}});
  ASSERT_TRUE(pooled);
  const double a = std::log(1.1) * std::log(1.1) / 2;
  const double b = std::log(1.2) * std::log(1.2) / 2;
  EXPECT_NEAR(pooled->deviation, std::sqrt((a + b) / 2), 1e-12);
  EXPECT_EQ(pooled->freedom, 2);
  EXPECT_THAT(pooled->agrees, ElementsAre(true, true));
}

TEST(PooledSpread, WeighsPointsByTheirRuns) {
  // The squares around the means are 4 * 0.01^2 for the four runs and 2 * 0.02^2 for the two.
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

StudyResults results_of(std::vector<PointResult> points) {
  StudyResults results;
  results.points = std::move(points);
  return results;
}

TEST(PointStatistics, PointsWithTheSameSpreadShareIt) {
  const StudyResults results = results_of({point_with({{"workers", "1"}}, {run_with(100), run_with(101)}),
                                           point_with({{"workers", "2"}}, {run_with(198), run_with(202)}),
                                           point_with({{"workers", "4"}}, {run_with(400)})});
  const double t = 4.30265;  // for two degrees of freedom; it would be 12.7 with only the two runs of one point
  const double a = std::log(101.0 / 100);
  const double b = std::log(202.0 / 198);
  const double deviation = std::sqrt((a * a + b * b) / 4);
  const Summary two = *statistics_of(results, results.points[1]).throughput;
  EXPECT_EQ(two.interval_from, IntervalBasis::pooled);
  EXPECT_EQ(two.interval_freedom, 2);
  EXPECT_NEAR(two.high_95, 200 * std::exp(t * deviation / std::sqrt(2)), 0.01);
  EXPECT_NEAR(two.low_95, 200 / std::exp(t * deviation / std::sqrt(2)), 0.01);
  const Summary single = *statistics_of(results, results.points[2]).throughput;
  EXPECT_EQ(single.interval_from, IntervalBasis::pooled);
  EXPECT_NEAR(single.high_95, 400 * std::exp(t * deviation), 0.01);
}

TEST(PointStatistics, APointWithAnotherSpreadGoesByItsOwn) {
  const StudyResults results =
      results_of({point_with({{"workers", "1"}}, {run_with(100), run_with(101), run_with(100)}),
                  point_with({{"workers", "2"}}, {run_with(200), run_with(201), run_with(202)}),
                  point_with({{"workers", "4"}}, {run_with(100), run_with(400), run_with(1600)})});
  EXPECT_EQ(statistics_of(results, results.points[0]).throughput->interval_from, IntervalBasis::pooled);
  const Summary noisy = *statistics_of(results, results.points[2]).throughput;
  EXPECT_EQ(noisy.interval_from, IntervalBasis::values);
  EXPECT_GT(noisy.low_95, 0);
}

TEST(PointStatistics, SingleRunsGoByTheirSteps) {
  StudyRun run = run_with(100);
  run.measures->step_spread = StepSpread{.relative_error = 0.01, .freedom = 20};
  const StudyResults results = results_of({point_with({{"workers", "1"}}, {run}), point_with({}, {run_with(50)})});
  const Summary steps = *statistics_of(results, results.points[0]).throughput;
  EXPECT_EQ(steps.interval_from, IntervalBasis::steps);
  EXPECT_NEAR(steps.high_95, 100 * std::exp(2.08596 * 0.01), 1e-3);
  EXPECT_FALSE(statistics_of(results, results.points[1]).throughput->has_interval());
}

TEST(PointStatistics, DisturbedRunsAreLeftOutWhereThereAreOthers) {
  const PointStatistics seen =
      statistics_of(point_with({}, {disturbed_run(10), run_with(100), failed_run("killed")}), 0);
  EXPECT_EQ(seen.runs, 1);
  EXPECT_EQ(seen.failed, 1);
  EXPECT_EQ(seen.disturbed, 1);
  EXPECT_FALSE(seen.rests_on_disturbed);
  EXPECT_EQ(seen.throughput->mean, 100);
}

TEST(PointStatistics, WithoutOthersTheyAreAllThereIs) {
  const StudyResults results = results_of({point_with({{"workers", "1"}}, {disturbed_run(10), disturbed_run(30)}),
                                           point_with({{"workers", "2"}}, {run_with(100), run_with(101)})});
  const PointStatistics seen = statistics_of(results, results.points[0]);
  EXPECT_TRUE(seen.rests_on_disturbed);
  EXPECT_EQ(seen.throughput->mean, 20);
  EXPECT_EQ(seen.throughput->interval_from, IntervalBasis::values);
}

}  // namespace

}  // namespace convoy::study
