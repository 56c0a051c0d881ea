#include "convoy/study/measure/estimate.h"

#include <gtest/gtest.h>

#include <vector>

namespace convoy::study {
namespace {

TEST(Difference, WithEqualSpreadIsTheTwoSampleInterval) {
  // Means 2 and 6, variance 1 for three values each: standard error sqrt(2 / 3), 4 degrees of freedom, t = 2.776.
  const auto interval = difference_95(std::vector<double>{5, 6, 7}, std::vector<double>{1, 2, 3});
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->low, 4 - 2.7764 * 0.81650, 1e-3);
  EXPECT_NEAR(interval->high, 4 + 2.7764 * 0.81650, 1e-3);
}

TEST(Difference, ASpreadOnOneSideCountsItsRunsOnly) {
  // Only the first has a variance: 2 degrees of freedom, t = 4.303, standard error 1 / sqrt(3).
  const auto interval = difference_95(std::vector<double>{5, 6, 7}, std::vector<double>{2, 2, 2, 2});
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->low, 4 - 4.3027 * 0.57735, 1e-3);
}

TEST(Difference, SingleRunsTellNothing) {
  EXPECT_FALSE(difference_95(std::vector<double>{1}, std::vector<double>{1, 2}));
  EXPECT_FALSE(difference_95(std::vector<double>{1, 2}, std::vector<double>{1}));
}

TEST(Difference, WithoutSpreadIsExact) {
  EXPECT_EQ(difference_95(std::vector<double>{3, 3}, std::vector<double>{1, 1}), (Interval{2, 2}));
}

}  // namespace
}  // namespace convoy::study
