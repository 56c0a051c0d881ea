#include "convoy/study/analysis/batch_analysis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace convoy::study {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

BatchThroughput seen(std::int64_t batch, const std::vector<double>& rates) { return {batch, summarize(rates)}; }

TEST(BatchAdvice, SmallestWithinFivePercentOfTheFastest) {
  const auto advice = advise_batch(std::vector{seen(256, {100, 101, 99}), seen(32, {60, 61, 59}),
                                               seen(128, {98, 98.1, 97.9}), seen(64, {90, 90.1, 89.9})});
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->batch, 128);
  EXPECT_EQ(advice->fastest, 256);
  EXPECT_TRUE(advice->certain);
  EXPECT_THAT(advice->why, AllOf(HasSubstr("Batch 128"), HasSubstr("within 5 %"), HasSubstr("batch 256"),
                                 HasSubstr("98.00 samples/s ("), Not(HasSubstr("once")), Not(HasSubstr("noisy"))));
}

TEST(BatchAdvice, TheFastestWhenNoSmallerOneIsNear) {
  const auto advice = advise_batch(std::vector{seen(32, {60, 61}), seen(64, {100, 101})});
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->batch, 64);
  EXPECT_THAT(advice->why, HasSubstr("is the fastest"));
}

TEST(BatchAdvice, ToleranceIsTheCallers) {
  const std::vector batches = {seen(64, {90, 90.1}), seen(128, {100, 100.1})};
  EXPECT_EQ(advise_batch(batches)->batch, 128);
  EXPECT_EQ(advise_batch(batches, 0.11)->batch, 64);
}

TEST(BatchAdvice, SingleMeasurementsHaveNoInterval) {
  const auto advice = advise_batch(std::vector{seen(64, {97}), seen(128, {100})});
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->batch, 64);
  EXPECT_FALSE(advice->certain);
  EXPECT_THAT(advice->why, AllOf(HasSubstr("measured once"), HasSubstr("no intervals"), Not(HasSubstr("samples/s ("))));
  const auto mixed = advise_batch(std::vector{seen(64, {97}), seen(128, {100, 100.1, 99.9})});
  EXPECT_FALSE(mixed->certain);
  EXPECT_THAT(mixed->why, HasSubstr("Some were measured once"));
}

TEST(BatchAdvice, AWideIntervalOfTheFastestDecidesNothing) {
  const auto advice = advise_batch(std::vector{seen(32, {70, 100, 130}), seen(64, {80, 80.1}), seen(128, {20, 20.1})});
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->batch, 32);
  EXPECT_FALSE(advice->certain);
  EXPECT_THAT(advice->why, AllOf(HasSubstr("do not decide it for batch 64."), HasSubstr("noisy")));
}

TEST(BatchAdvice, AnIntervalAcrossTheLimitIsNamed) {
  // 94 is below the limit of 95, but its interval contains the limit.
  const auto advice = advise_batch(std::vector{seen(64, {92, 94, 96}), seen(128, {100, 100.1, 99.9})});
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->batch, 128);
  EXPECT_FALSE(advice->certain);
  EXPECT_THAT(advice->why, HasSubstr("do not decide it for batch 64"));
}

TEST(BatchAdvice, NoiseIsNamed) {
  const auto advice = advise_batch(std::vector{seen(64, {50, 100, 150})});
  ASSERT_TRUE(advice);
  EXPECT_THAT(advice->why, HasSubstr("CV at batch 64 is 50 %"));
}

TEST(BatchAdvice, NothingFromNothing) { EXPECT_FALSE(advise_batch({})); }

PointResult measured(Point point, double throughput) {
  RunMeasures measures;
  measures.throughput = throughput;
  PointResult result{.point = std::move(point), .runs = {}};
  result.runs.push_back({.outcome = {}, .measures = std::move(measures), .trouble = {}});
  return result;
}

TEST(BatchAnalysis, MakesASeriesForEachCombinationOfTheOtherSettings) {
  StudyResults results;
  results.points = {
      measured({{"batch", "128"}, {"workers", "1"}}, 100), measured({{"batch", "64"}, {"workers", "1"}}, 98),
      measured({{"batch", "64"}, {"workers", "2"}}, 120), measured({{"batch", "128"}, {"workers", "2"}}, 200)};
  const auto series = analyse_batches(results).series;
  ASSERT_EQ(series.size(), 2U);
  EXPECT_EQ(series[0].name, "workers 1");
  EXPECT_EQ(series[0].points[0].batch, 64);
  ASSERT_TRUE(series[0].advice);
  EXPECT_EQ(series[0].advice->batch, 64);
  ASSERT_TRUE(series[1].advice);
  EXPECT_EQ(series[1].advice->batch, 128);
}

TEST(BatchAnalysis, WithoutAMeasuredPointAdvisesNothing) {
  StudyResults results;
  PointResult failed{.point = {{"batch", "64"}}, .runs = {}};
  failed.runs.push_back({.outcome = {}, .measures = {}, .trouble = "failed"});
  results.points = {failed};
  const auto series = analyse_batches(results).series;
  ASSERT_EQ(series.size(), 1U);
  EXPECT_EQ(series[0].name, "");
  EXPECT_FALSE(series[0].advice);
  EXPECT_EQ(series[0].points[0].statistics.failed, 1);
}

}  // namespace

}  // namespace convoy::study
