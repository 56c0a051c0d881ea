#include "convoy/kernels/reference/pooling.h"

#include <gtest/gtest.h>

#include "convoy/kernels/reference/gradient_check_test.h"
#include "convoy/kernels/reference/pooling_case_test.h"

namespace convoy::kernels::reference {
namespace {

// A window of three with stride two over four pixels with a zero on either side: the last one extends past the end.
PoolingCase overhanging(Pooling kind) {
  return PoolingCase("overhanging", kind, {1, 1, 1, 4}, {1, 3}).stride(1, 2).pad(0, 1, 0, 1).ceil();
}

TEST(PoolingTwin, TakesTheMaximumWithoutPadding) {
  EXPECT_EQ(pooling(overhanging(Pooling::max).problem(), {-1, -2, -3, -4}), (Values{-1, -2, -4}));
}

TEST(PoolingTwin, PaddingCountsWhereAskedForAndTheOverhangNever) {
  EXPECT_EQ(pooling(overhanging(Pooling::average).problem(), {3, 6, 9, 12}), (Values{3, 9, 6}));
  EXPECT_EQ(pooling(overhanging(Pooling::average).padding_not_counted().problem(), {3, 6, 9, 12}),
            (Values{4.5, 9, 12}));
}

TEST(PoolingTwin, GivesTheGradientToTheFirstOfEquals) {
  const PoolingProblem problem{.in_w = 3, .kernel_w = 3};
  EXPECT_EQ(pooling_backward(problem, {1, 2, 2}, {5}), (Values{0, 5, 0}));
}

class PoolingTwinGradients : public testing::TestWithParam<PoolingCase> {};

TEST_P(PoolingTwinGradients, AreSlopes) {
  const PoolingProblem problem = GetParam().problem();
  const Values x = random_values(problem.batch * problem.channels * problem.in_h * problem.in_w, 1);
  const Values projection = random_values(problem.batch * problem.channels * problem.out_h * problem.out_w, 2);
  EXPECT_TRUE(is_gradient([&](const Values& v) { return dot(projection, pooling(problem, v)); }, x,
                          pooling_backward(problem, x, projection)));
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, PoolingTwinGradients,
    testing::Values(overhanging(Pooling::max), overhanging(Pooling::average),
                    overhanging(Pooling::average).padding_not_counted(),
                    PoolingCase("max", Pooling::max, {2, 3, 5, 4}, {3, 2}).stride(2, 1).pad(1, 0, 1, 0),
                    PoolingCase("average", Pooling::average, {2, 2, 4, 4}, {3, 3}).pad(1).padding_not_counted()));

}  // namespace
}  // namespace convoy::kernels::reference
