#include "convoy/study/analysis/worker_trend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace convoy::study {
namespace {

using testing::HasSubstr;

using Values = std::vector<WorkersValue>;

TEST(WorkerTrend, SlopeIsPerDoubling) {
  const auto trend = worker_trend(Values{{1, 0.90}, {2, 0.88}, {4, 0.86}, {16, 0.82}});
  ASSERT_TRUE(trend);
  EXPECT_NEAR(trend->per_doubling.value, -0.02, 1e-12);
  EXPECT_NEAR(trend->at_one_worker, 0.90, 1e-12);
  EXPECT_TRUE(trend->is_significant());
}

// log2 of the workers is 0, 1, 2, 3: the line of 1, 3, 2, 5 has slope 1.1 and the slope's variance is 0.27.
TEST(WorkerTrend, IntervalIsStudentsOfTheSlope) {
  const auto trend = worker_trend(Values{{1, 1}, {2, 3}, {4, 2}, {8, 5}});
  ASSERT_TRUE(trend);
  EXPECT_NEAR(trend->per_doubling.value, 1.1, 1e-12);
  ASSERT_TRUE(trend->per_doubling.interval_95);
  EXPECT_NEAR(trend->per_doubling.interval_95->low, 1.1 - 4.302653 * std::sqrt(0.27), 1e-5);
  EXPECT_NEAR(trend->per_doubling.interval_95->high, 1.1 + 4.302653 * std::sqrt(0.27), 1e-5);
  EXPECT_FALSE(trend->is_significant());
  EXPECT_EQ(trend->note, "");
}

// Epochs to stable accuracy by eye, Caltech-256 on 2, 4, 4 and 8 GPUs: 15, 19, 20, 25.
TEST(WorkerTrend, EpochsToStableAccuracyGrowByFivePerDoubling) {
  const auto trend = worker_trend(Values{{2, 15}, {4, 19}, {4, 20}, {8, 25}});
  ASSERT_TRUE(trend);
  EXPECT_NEAR(trend->per_doubling.value, 5, 1e-12);
  EXPECT_TRUE(trend->is_significant());
}

TEST(WorkerTrend, FewPointsHaveNoInterval) {
  const auto trend = worker_trend(Values{{1, 1}, {2, 3}, {4, 2}});
  ASSERT_TRUE(trend);
  EXPECT_FALSE(trend->per_doubling.interval_95);
  EXPECT_FALSE(trend->is_significant());
  EXPECT_THAT(trend->note, HasSubstr("3 observations, at least 4"));
}

TEST(WorkerTrend, OneNumberOfWorkersHasNone) {
  EXPECT_FALSE(worker_trend(Values{{1, 1}, {1, 2}, {1, 3}}));
  EXPECT_FALSE(worker_trend(Values{{4, 1}, {4, 2}, {4, 3}}));
  EXPECT_FALSE(worker_trend(Values{{4, 1}}));
  EXPECT_FALSE(worker_trend(Values{}));
}

}  // namespace
}  // namespace convoy::study
