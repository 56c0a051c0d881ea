#include "convoy/kernels/reference/dense.h"

#include <gtest/gtest.h>

#include "convoy/kernels/reference/elementwise.h"
#include "convoy/kernels/reference/gradient_check_test.h"

namespace convoy::kernels::reference {
namespace {

TEST(DenseTwin, MultipliesRowsByRows) {
  const DenseProblem problem{.batch = 2, .in_channels = 2, .out = 2};
  EXPECT_EQ(dense(problem, {1, 2, 3, 4}, {1, 10, 100, 1000}, {0.5, 0.25}), (Values{21.5, 2100.25, 43.5, 4300.25}));
}

TEST(DenseTwin, LeavesOutTheBias) {
  const DenseProblem problem{.in_channels = 2, .out = 1, .bias = false};
  EXPECT_EQ(dense(problem, {1, 2}, {1, 10}, {}), (Values{21}));
}

class DenseTwinGradients : public testing::TestWithParam<DenseProblem> {};

TEST_P(DenseTwinGradients, AreSlopes) {
  const DenseProblem problem = GetParam();
  const std::int64_t in = problem.in_channels * problem.in_h * problem.in_w;
  const Values x = random_values(problem.batch * in, 1);
  const Values w = random_values(problem.out * in, 2);
  const Values b = random_values(problem.out, 3);
  const Values projection = random_values(problem.batch * problem.out, 4);
  const Values dy = activate_backward(problem.activation, dense(problem, x, w, b), projection);

  EXPECT_TRUE(is_gradient([&](const Values& v) { return dot(projection, dense(problem, v, w, b)); }, x,
                          dense_backward_data(problem, dy, w)));
  EXPECT_TRUE(is_gradient([&](const Values& v) { return dot(projection, dense(problem, x, v, b)); }, w,
                          dense_backward_weights(problem, x, dy)));
  EXPECT_TRUE(is_gradient([&](const Values& v) { return dot(projection, dense(problem, x, w, v)); }, b,
                          dense_backward_bias(problem, dy)));
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, DenseTwinGradients,
    testing::Values(DenseProblem{.batch = 3, .in_channels = 7, .out = 5},
                    DenseProblem{.batch = 1, .in_channels = 1, .out = 1},
                    DenseProblem{
                        .batch = 2, .in_channels = 3, .in_h = 2, .in_w = 3, .out = 4, .activation = Activation::relu}));

}  // namespace
}  // namespace convoy::kernels::reference
