#include "convoy/kernels/reference/pooling.h"

#include <gtest/gtest.h>

#include "convoy/kernels/reference/gradient_check_test.h"

namespace convoy::kernels::reference {
namespace {

// A window of three at stride two over 1 2 3 4 with one zero before it and, in ceil mode, one place past the end.
PoolingProblem overhanging(Pooling kind, bool count_padding) {
  return {.kind = kind,
          .in_w = 4,
          .out_w = 3,
          .kernel_w = 3,
          .stride_w = 2,
          .pad_left = 1,
          .pad_right = 1,
          .count_padding = count_padding};
}

TEST(PoolingTwin, TakesTheMaximumWithoutPadding) {
  EXPECT_EQ(pooling(overhanging(Pooling::max, true), {-1, -2, -3, -4}), (Values{-1, -2, -4}));
}

TEST(PoolingTwin, PaddingCountsWhereAskedForAndTheOverhangNever) {
  EXPECT_EQ(pooling(overhanging(Pooling::average, true), {3, 6, 9, 12}), (Values{3, 9, 6}));
  EXPECT_EQ(pooling(overhanging(Pooling::average, false), {3, 6, 9, 12}), (Values{4.5, 9, 12}));
}

TEST(PoolingTwin, GivesTheGradientToTheFirstOfEquals) {
  const PoolingProblem problem{.in_w = 3, .kernel_w = 3};
  EXPECT_EQ(pooling_backward(problem, {1, 2, 2}, {5}), (Values{0, 5, 0}));
}

class PoolingTwinGradients : public testing::TestWithParam<PoolingProblem> {};

TEST_P(PoolingTwinGradients, AreSlopes) {
  const PoolingProblem problem = GetParam();
  const Values x = random_values(problem.batch * problem.channels * problem.in_h * problem.in_w, 1);
  const Values projection = random_values(problem.batch * problem.channels * problem.out_h * problem.out_w, 2);
  EXPECT_TRUE(is_gradient([&](const Values& v) { return dot(projection, pooling(problem, v)); }, x,
                          pooling_backward(problem, x, projection)));
}

INSTANTIATE_TEST_SUITE_P(Shapes, PoolingTwinGradients,
                         testing::Values(overhanging(Pooling::max, true), overhanging(Pooling::average, true),
                                         overhanging(Pooling::average, false),
                                         PoolingProblem{.batch = 2,
                                                        .channels = 3,
                                                        .in_h = 5,
                                                        .in_w = 4,
                                                        .out_h = 3,
                                                        .out_w = 3,
                                                        .kernel_h = 3,
                                                        .kernel_w = 2,
                                                        .stride_h = 2,
                                                        .pad_top = 1,
                                                        .pad_bottom = 1},
                                         PoolingProblem{.kind = Pooling::average,
                                                        .batch = 2,
                                                        .channels = 2,
                                                        .in_h = 4,
                                                        .in_w = 4,
                                                        .out_h = 4,
                                                        .out_w = 4,
                                                        .kernel_h = 3,
                                                        .kernel_w = 3,
                                                        .pad_top = 1,
                                                        .pad_left = 1,
                                                        .pad_bottom = 1,
                                                        .pad_right = 1,
                                                        .count_padding = false}));

}  // namespace
}  // namespace convoy::kernels::reference
