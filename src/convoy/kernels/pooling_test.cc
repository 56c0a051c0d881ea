#include "convoy/kernels/pooling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "convoy/kernels/reference/gradient_check_test.h"
#include "convoy/kernels/reference/operator_run_test.h"
#include "convoy/kernels/reference/pooling.h"
#include "convoy/kernels/reference/pooling_case_test.h"

namespace convoy::kernels {
namespace {

using namespace reference;

constexpr auto kMax = Pooling::max;
constexpr auto kAverage = Pooling::average;

std::int64_t count_in_pooling(const Layout::Dims& dims) { return dims[0] * dims[1] * dims[2] * dims[3]; }

class PoolingShapes : public testing::TestWithParam<PoolingCase> {
 protected:
  const PoolingProblem problem_ = GetParam().problem();
  const Values x_ = random_values(count_in_pooling(problem_.source_dims()), 1);
  const Values dy_ = random_values(count_in_pooling(problem_.destination_dims()), 2);
};

TEST_P(PoolingShapes, Forward) {
  for (const bool training : {false, true}) {
    OperatorRun run(prepare_pooling(problem_, training));
    EXPECT_TRUE(close(run.give(Role::source, x_).run().take(Role::destination), pooling(problem_, x_), 1e-6));
  }
}

TEST_P(PoolingShapes, Backward) {
  OperatorRun forward(prepare_pooling(problem_, true));
  forward.give(Role::source, x_).run();
  OperatorRun backward(prepare_pooling_backward(problem_));
  backward.take_over(Role::workspace, forward).give(Role::diff_destination, dy_).run();
  EXPECT_TRUE(close(backward.take(Role::diff_source), pooling_backward(problem_, x_, dy_), 1e-6));
}

constexpr auto kPoolingName = [](const testing::TestParamInfo<PoolingCase>& row) { return row.param.name(); };

INSTANTIATE_TEST_SUITE_P(
    Max, PoolingShapes,
    testing::Values(PoolingCase("2x2", kMax, {2, 16, 6, 8}, {2, 2}).stride(2, 2),
                    PoolingCase("3x3_overlapping", kMax, {2, 24, 7, 7}, {3, 3}).stride(2, 2).pad(1),
                    PoolingCase("3x3_ceil", kMax, {1, 5, 8, 6}, {3, 3}).stride(2, 2).ceil(),
                    PoolingCase("3x3_ceil_padded", kMax, {1, 17, 6, 6}, {3, 3}).stride(2, 2).pad(1).ceil(),
                    PoolingCase("3x2_one_sided", kMax, {1, 3, 7, 5}, {3, 2}).stride(1, 2).pad(2, 0, 0, 1),
                    PoolingCase("2x2_stride_3", kMax, {2, 33, 8, 8}, {2, 2}).stride(3, 3),
                    PoolingCase("1x1_image", kMax, {3, 1, 1, 1}, {1, 1}),
                    PoolingCase("5x5_of_3x3", kMax, {1, 24, 3, 3}, {5, 5}).pad(2),
                    PoolingCase("whole_image", kMax, {2, 17, 5, 4}, {5, 4})),
    kPoolingName);

INSTANTIATE_TEST_SUITE_P(
    Average, PoolingShapes,
    testing::Values(
        PoolingCase("2x2", kAverage, {2, 16, 6, 8}, {2, 2}).stride(2, 2),
        PoolingCase("3x3_counted", kAverage, {2, 24, 7, 7}, {3, 3}).stride(2, 2).pad(1),
        PoolingCase("3x3_not_counted", kAverage, {2, 24, 7, 7}, {3, 3}).stride(2, 2).pad(1).padding_not_counted(),
        PoolingCase("ceil_counted", kAverage, {1, 5, 6, 6}, {3, 3}).stride(2, 2).pad(1).ceil(),
        PoolingCase("ceil_not_counted", kAverage, {1, 5, 6, 6}, {3, 3})
            .stride(2, 2)
            .pad(1)
            .ceil()
            .padding_not_counted(),
        PoolingCase("ceil_unpadded", kAverage, {1, 17, 8, 6}, {3, 3}).stride(2, 2).ceil(),
        PoolingCase("one_sided", kAverage, {1, 3, 7, 5}, {3, 2}).stride(1, 2).pad(0, 1, 2, 0),
        PoolingCase("one_sided_not_counted", kAverage, {1, 3, 7, 5}, {3, 2}).pad(2, 0, 0, 1).padding_not_counted(),
        PoolingCase("1x1_image", kAverage, {3, 1, 1, 1}, {1, 1}),
        PoolingCase("whole_image", kAverage, {2, 17, 7, 7}, {7, 7})),
    kPoolingName);

TEST(Pooling, AveragesNeedNoWorkspace) {
  const PoolingProblem average = PoolingCase("", kAverage, {1, 1, 4, 4}, {2, 2}).problem();
  const PoolingProblem max = PoolingCase("", kMax, {1, 1, 4, 4}, {2, 2}).problem();
  EXPECT_EQ(prepare_pooling(average, true)->bytes(Role::workspace), 0U);
  EXPECT_EQ(prepare_pooling(max, false)->bytes(Role::workspace), 0U);
  EXPECT_GT(prepare_pooling(max, true)->bytes(Role::workspace), 0U);
}

// A NaN wins wherever in its window it is: a diverged run must be noticed.
TEST(Pooling, MaximumLetsNanThrough) {
  const PoolingProblem problem = PoolingCase("", kMax, {1, 3, 2, 2}, {2, 2}).problem();
  for (std::size_t at = 0; at < 4; ++at) {
    Values x = {9, 8, 7, 6, 1, 2, 3, 4, -1, -2, -3, -4};
    x[4 + at] = std::numeric_limits<double>::quiet_NaN();
    OperatorRun run(prepare_pooling(problem, true));
    const Values y = run.give(Role::source, x).run().take(Role::destination);
    EXPECT_EQ(y[0], 9);
    EXPECT_TRUE(std::isnan(y[1])) << at;
    EXPECT_EQ(y[2], -1);
  }
}

TEST(Pooling, MaximumOfMinusInfinityHasAPlace) {
  const double low = -std::numeric_limits<double>::infinity();
  const PoolingProblem problem = PoolingCase("", kMax, {1, 1, 2, 2}, {3, 3}).pad(1).problem();
  const Values x(4, low);
  OperatorRun forward(prepare_pooling(problem, true));
  EXPECT_EQ(forward.give(Role::source, x).run().take(Role::destination), x);
  OperatorRun backward(prepare_pooling_backward(problem));
  backward.take_over(Role::workspace, forward).give(Role::diff_destination, {1, 2, 3, 4}).run();
  EXPECT_EQ(backward.take(Role::diff_source), (Values{10, 0, 0, 0}));
}

// The twin's gradient, passed back through the activation.
TEST(Pooling, StopsTheGradientWhereTheActivationDoes) {
  for (const Activation activation : {Activation::relu, Activation::relu6}) {
    PoolingProblem problem = PoolingCase("", kMax, {2, 24, 7, 7}, {3, 3}).stride(2, 2).pad(1).problem();
    Values x = random_values(count_in_pooling(problem.source_dims()), 1, 16.0F);
    const double most = activation == Activation::relu6 ? 6 : std::numeric_limits<double>::infinity();
    for (double& value : x) value = std::clamp(value - 8, 0.0, most);  // so that some windows have nothing but zeros
    const Values dy = random_values(count_in_pooling(problem.destination_dims()), 2);
    Values expected = pooling_backward(problem, x, dy);
    std::size_t stopped = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i] > 0 && x[i] < most) continue;
      stopped += expected[i] != 0 ? 1 : 0;
      expected[i] = 0;
    }
    EXPECT_GT(stopped, 10U);
    problem.activation = activation;
    OperatorRun forward(prepare_pooling(problem, true));
    forward.give(Role::source, x).run();
    OperatorRun backward(prepare_pooling_backward(problem));
    backward.take_over(Role::workspace, forward).give(Role::diff_destination, dy).run();
    EXPECT_TRUE(close(backward.take(Role::diff_source), expected, 1e-6));
  }
}

TEST(Pooling, GivesTheGradientToTheFirstOfEquals) {
  const PoolingProblem problem = PoolingCase("", kMax, {1, 1, 2, 2}, {2, 2}).problem();
  OperatorRun forward(prepare_pooling(problem, true));
  forward.give(Role::source, {1, 3, 3, 3}).run();
  OperatorRun backward(prepare_pooling_backward(problem));
  backward.take_over(Role::workspace, forward).give(Role::diff_destination, {5}).run();
  EXPECT_EQ(backward.take(Role::diff_source), (Values{0, 5, 0, 0}));
}

}  // namespace
}  // namespace convoy::kernels
