#include "convoy/base/mean_difference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace convoy {
namespace {

Summary summary(const std::vector<double>& values) { return summarize(values); }

TEST(MeanDifference, IsWelchsInterval) {
  // The variance 7/4 and the 3.2347 degrees of freedom were computed by hand, t = 3.0557 by integrating the density.
  const MeanDifference difference = mean_difference(summary({10, 12, 14}), summary({1, 2, 3, 4}));
  EXPECT_DOUBLE_EQ(difference.value, 9.5);
  EXPECT_NEAR(difference.half_width_95, 4.0423, 1e-3);
  EXPECT_TRUE(difference.is_significant());
}

TEST(MeanDifference, OfNoisyValuesIsNotSignificant) {
  const MeanDifference difference = mean_difference(summary({9, 12}), summary({10, 14}));
  EXPECT_DOUBLE_EQ(difference.value, -1.5);
  EXPECT_FALSE(difference.is_significant());
}

TEST(MeanDifference, OfSingleValuesIsNeverSignificant) {
  EXPECT_TRUE(std::isinf(mean_difference(summary({100}), summary({1, 1.1})).half_width_95));
  EXPECT_FALSE(mean_difference(summary({100}), summary({1})).is_significant());
}

TEST(MeanDifference, WithoutSpreadIsExact) {
  EXPECT_TRUE(mean_difference(summary({2, 2}), summary({1, 1})).is_significant());
  EXPECT_FALSE(mean_difference(summary({2, 2}), summary({2, 2})).is_significant());
}

}  // namespace
}  // namespace convoy
