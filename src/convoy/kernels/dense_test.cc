#include <gtest/gtest.h>

#include <algorithm>

#include "convoy/kernels/convolution.h"
#include "convoy/kernels/reference/dense.h"
#include "convoy/kernels/reference/gradient_check_test.h"
#include "convoy/kernels/reference/operator_run_test.h"

namespace convoy::kernels {
namespace {

using namespace reference;

// Compares every implementation of every pass with the twin.
class DenseCandidates : public testing::TestWithParam<DenseProblem> {
 protected:
  [[nodiscard]] std::vector<PreparedPtr> all(Pass pass) const {
    auto found = candidates(test_device(), problem_, pass);
    EXPECT_FALSE(found.empty()) << "nothing computes this";
    return found;
  }

  const DenseProblem problem_ = GetParam();
  const std::int64_t in_ = problem_.in_channels * problem_.in_h * problem_.in_w;
  const Values x_ = random_values(problem_.batch * in_, 1, 4.0F);
  const Values w_ = random_values(problem_.out * in_, 2);
  const Values b_ = random_values(problem_.out, 3);
  const Values dy_ = random_values(problem_.batch * problem_.out, 4);
};

TEST_P(DenseCandidates, Forward) {
  const Values expected = dense(problem_, x_, w_, b_);
  for (const PreparedPtr& candidate : all(Pass::forward)) {
    SCOPED_TRACE(candidate->implementation());
    OperatorRun run(candidate);
    run.give(Role::source, x_).give(Role::weights, w_);
    if (problem_.bias) run.give(Role::bias, b_);
    EXPECT_TRUE(close(run.run().take(Role::destination), expected, 1e-5));
  }
}

TEST_P(DenseCandidates, BackwardData) {
  const Values expected = dense_backward_data(problem_, dy_, w_);
  for (const PreparedPtr& candidate : all(Pass::backward_data)) {
    SCOPED_TRACE(candidate->implementation());
    OperatorRun run(candidate);
    run.give(Role::diff_destination, dy_).give(Role::weights, w_);
    EXPECT_TRUE(close(run.run().take(Role::diff_source), expected, 1e-5));
  }
}

TEST_P(DenseCandidates, BackwardWeights) {
  const Values expected = dense_backward_weights(problem_, x_, dy_);
  const Values expected_bias = dense_backward_bias(problem_, dy_);
  for (const PreparedPtr& candidate : all(Pass::backward_weights)) {
    SCOPED_TRACE(candidate->implementation());
    OperatorRun run(candidate);
    run.give(Role::source, x_).give(Role::diff_destination, dy_);
    EXPECT_TRUE(close(run.run().take(Role::diff_weights), expected, 1e-5));
    ASSERT_EQ(candidate->bytes(Role::diff_bias) > 0, problem_.bias);
    if (problem_.bias) {
      EXPECT_TRUE(close(run.take(Role::diff_bias), expected_bias, 1e-5));
    }
  }
}

constexpr auto kRelu = Activation::relu;
constexpr auto kRelu6 = Activation::relu6;

INSTANTIATE_TEST_SUITE_P(
    Rows, DenseCandidates,
    testing::Values(DenseProblem{.batch = 1, .in_channels = 1, .out = 1},
                    DenseProblem{.batch = 1, .in_channels = 24, .out = 17, .activation = kRelu},
                    DenseProblem{.batch = 5, .in_channels = 17, .out = 3, .bias = false},
                    DenseProblem{.batch = 3, .in_channels = 33, .out = 10, .activation = kRelu6},
                    DenseProblem{.batch = 16, .in_channels = 64, .out = 48, .bias = false, .activation = kRelu},
                    DenseProblem{.batch = 7, .in_channels = 100, .out = 1},
                    DenseProblem{.batch = 9, .in_channels = 336, .out = 41, .activation = kRelu},
                    DenseProblem{.batch = 4, .in_channels = 2, .in_h = 3, .in_w = 5, .out = 10}));

INSTANTIATE_TEST_SUITE_P(
    Images, DenseCandidates,
    testing::Values(
        DenseProblem{.batch = 2, .in_channels = 5, .in_h = 3, .in_w = 4, .out = 17, .image = true},
        DenseProblem{
            .batch = 1, .in_channels = 32, .in_h = 2, .in_w = 2, .out = 10, .image = true, .activation = kRelu},
        DenseProblem{.batch = 3, .in_channels = 24, .in_h = 5, .in_w = 1, .out = 3, .image = true, .bias = false},
        DenseProblem{.batch = 4, .in_channels = 17, .in_h = 1, .in_w = 1, .out = 24, .image = true},
        DenseProblem{
            .batch = 2, .in_channels = 1, .in_h = 6, .in_w = 6, .out = 5, .image = true, .activation = kRelu6}));

// Otherwise every step would reorder the weights, however large they are.
TEST(Dense, WeightsInTheLayoutOfForwardServeAllPasses) {
  const DenseProblem problem{.batch = 32, .in_channels = 64, .in_h = 7, .in_w = 7, .out = 512, .image = true};
  for (const DenseProblem& one : {problem, DenseProblem{.batch = 32, .in_channels = 512, .out = 10}}) {
    const Layout forward = candidates(test_device(), one, Pass::forward).front()->layout(Role::weights);
    const auto serves = [&](Pass pass, Role role) {
      return std::ranges::any_of(candidates(test_device(), one, pass),
                                 [&](const PreparedPtr& candidate) { return candidate->layout(role) == forward; });
    };
    EXPECT_TRUE(serves(Pass::backward_data, Role::weights)) << one.key();
    EXPECT_TRUE(serves(Pass::backward_weights, Role::diff_weights)) << one.key();
  }
}

TEST(Dense, KeysTellProblemsApart) {
  const DenseProblem rows{.batch = 2, .in_channels = 8, .out = 4};
  DenseProblem image = rows;
  image.image = true;
  DenseProblem unbiased = rows;
  unbiased.bias = false;
  EXPECT_NE(rows.key(), image.key());
  EXPECT_NE(rows.key(), unbiased.key());
}

TEST(Dense, CountsItsArithmetic) {
  EXPECT_DOUBLE_EQ((DenseProblem{.batch = 3, .in_channels = 2, .in_h = 4, .in_w = 5, .out = 7}).flops(),
                   2.0 * 3 * 2 * 4 * 5 * 7);
}

}  // namespace
}  // namespace convoy::kernels
