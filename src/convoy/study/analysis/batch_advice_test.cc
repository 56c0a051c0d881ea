#include "convoy/study/analysis/batch_advice.h"

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
                                 HasSubstr("98 samples/s ("), Not(HasSubstr("once")), Not(HasSubstr("noisy"))));
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

TEST(BatchAdvice, AnIntervalAcrossTheLimitIsNamed) {
  // 94 is below the limit of 95, but its interval reaches across.
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

}  // namespace
}  // namespace convoy::study
