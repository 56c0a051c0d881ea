// Convolutions and dense layers in bf16 compared with their twins in doubles, for every implementation of every pass.
// bf16_test.cc explains the tolerances.
#include <gtest/gtest.h>

#include "convoy/kernels/convolution.h"
#include "convoy/kernels/reference/bf16_values_test.h"
#include "convoy/kernels/reference/convolution.h"
#include "convoy/kernels/reference/convolution_case_test.h"
#include "convoy/kernels/reference/dense.h"
#include "convoy/kernels/reference/gradient_check_test.h"
#include "convoy/kernels/reference/operator_run_test.h"

namespace convoy::kernels {
namespace {

using namespace reference;

class Bf16Convolution : public testing::TestWithParam<ConvolutionCase> {
 protected:
  [[nodiscard]] static ConvolutionProblem in_bf16(ConvolutionProblem problem) {
    problem.type = kBf16;
    return problem;
  }
  [[nodiscard]] std::vector<PreparedPtr> all(Pass pass) const {
    auto found = candidates(test_device(), problem_, pass, Arithmetic::any);
    EXPECT_FALSE(found.empty()) << "nothing computes this";
    // These round more than once; winograd/pairs_test.cc says how far.
    std::erase_if(found, [](const PreparedPtr& candidate) {
      const std::string name = candidate->implementation();
      return name.starts_with("convoy:winograd") && name.ends_with("_bf16");
    });
    return found;
  }
  // Winograd's transforms lose some digits in floats too.
  static double tolerance_of(const PreparedPtr& candidate) {
    return candidate->implementation().find("wino") == std::string::npos ? 1e-5 : 1e-3;
  }

  const ConvolutionProblem problem_ = in_bf16(GetParam().problem());
  const Values x_ = random_bf16(problem_.source_dims(), 1, 2.0F);
  const Values w_ = random_bf16(problem_.weights_dims(), 2);
  const Values b_ = random_values(problem_.out_channels, 3);
  const Values dy_ = random_bf16(problem_.destination_dims(), 4);
};

TEST_P(Bf16Convolution, Forward) {
  const Values expected = convolution(problem_, x_, w_, b_);
  for (const PreparedPtr& candidate : all(Pass::forward)) {
    SCOPED_TRACE(candidate->implementation());
    EXPECT_EQ(candidate->layout(Role::source).type(), kBf16);
    EXPECT_EQ(candidate->layout(Role::weights).type(), kBf16);
    OperatorRun run(candidate);
    run.give(Role::source, x_).give(Role::weights, w_);
    if (problem_.bias) run.give(Role::bias, b_);
    const Values y = run.run().take(Role::destination);
    EXPECT_TRUE(close_in_bf16(y, expected, tolerance_of(candidate)));
    EXPECT_TRUE(has_rounded_only(y));
  }
}

TEST_P(Bf16Convolution, BackwardData) {
  const Values expected = convolution_backward_data(problem_, dy_, w_);
  for (const PreparedPtr& candidate : all(Pass::backward_data)) {
    SCOPED_TRACE(candidate->implementation());
    OperatorRun run(candidate);
    run.give(Role::diff_destination, dy_).give(Role::weights, w_);
    EXPECT_TRUE(close_in_bf16(run.run().take(Role::diff_source), expected, tolerance_of(candidate)));
  }
}

// Gradients of weights are floats, so nothing is rounded to bf16.
TEST_P(Bf16Convolution, BackwardWeights) {
  const Values expected = convolution_backward_weights(problem_, x_, dy_);
  const Values expected_bias = convolution_backward_bias(problem_, dy_);
  for (const PreparedPtr& candidate : all(Pass::backward_weights)) {
    SCOPED_TRACE(candidate->implementation());
    EXPECT_EQ(candidate->layout(Role::diff_weights).type(), DataType::fp32);
    OperatorRun run(candidate);
    run.give(Role::source, x_).give(Role::diff_destination, dy_);
    EXPECT_TRUE(close(run.run().take(Role::diff_weights), expected, tolerance_of(candidate)));
    if (problem_.bias) {
      EXPECT_TRUE(close(run.take(Role::diff_bias), expected_bias, 1e-5));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cases, Bf16Convolution,
    testing::Values(ConvolutionCase("stem", {2, 3, 9, 9}, 17, {3, 3}).pad(1).then(Activation::relu),
                    ConvolutionCase("3x3", {2, 17, 7, 6}, 24, {3, 3}).pad(1).no_bias(),
                    ConvolutionCase("3x3_relu6", {2, 32, 6, 6}, 32, {3, 3}).pad(1).then(Activation::relu6),
                    ConvolutionCase("5x5", {2, 16, 8, 8}, 16, {5, 5}).pad(2),
                    ConvolutionCase("1x1", {2, 24, 5, 7}, 33, {1, 1}).no_bias(),
                    ConvolutionCase("strided", {2, 32, 7, 6}, 16, {3, 3}).stride(2, 2).pad(1),
                    ConvolutionCase("one_sided", {1, 16, 5, 5}, 16, {3, 3}).pad(2, 0, 0, 1),
                    ConvolutionCase("dilated", {1, 16, 9, 9}, 8, {3, 3}).pad(2).dilation(2, 2),
                    ConvolutionCase("depthwise", {2, 24, 6, 6}, 24, {3, 3}).pad(1).groups(24),
                    ConvolutionCase("grouped", {2, 32, 5, 5}, 32, {3, 3}).pad(1).groups(2),
                    ConvolutionCase("tiny_image", {4, 16, 2, 2}, 16, {3, 3}).pad(1),
                    ConvolutionCase("large_stem", {2, 3, 23, 22}, 20, {7, 7}).stride(2, 2).pad(3),
                    ConvolutionCase("largest_stem", {3, 3, 30, 31}, 16, {11, 11}).stride(4, 4).pad(2),
                    ConvolutionCase("channels_in_many_taps", {3, 4, 40, 41}, 33, {9, 7}).stride(2, 3).pad(3, 2, 4, 1),
                    ConvolutionCase("strips_of_pairs", {9, 24, 30, 27}, 40, {3, 3}).stride(2, 2).pad(1),
                    ConvolutionCase("uneven_strides", {2, 33, 9, 8}, 40, {3, 5}).stride(3, 2).pad(1),
                    ConvolutionCase("skipping", {3, 32, 7, 8}, 48, {1, 1}).stride(2, 2).no_bias(),
                    ConvolutionCase("several_strips", {3, 64, 50, 61}, 16, {3, 3}).pad(1),
                    ConvolutionCase("tiny_images", {21, 80, 2, 2}, 96, {3, 3}).pad(1).then(Activation::relu),
                    ConvolutionCase("tiny_results", {3, 48, 5, 5}, 33, {3, 3}).stride(2, 2).pad(1).no_bias(),
                    ConvolutionCase("groups_of_pixels", {20, 272, 4, 4}, 40, {3, 3}).pad(1),
                    ConvolutionCase("many_weights", {5, 256, 3, 4}, 256, {3, 3}).pad(1)),
    [](const auto& row) { return row.param.name(); });

class Bf16Dense : public testing::TestWithParam<DenseProblem> {
 protected:
  const DenseProblem problem_ = GetParam();
  const Values x_ = random_bf16(problem_.source_dims(), 1, 4.0F);
  const Values w_ = random_bf16(problem_.weights_dims(), 2);
  const Values b_ = random_values(problem_.out, 3);
  const Values dy_ = random_bf16(problem_.destination_dims(), 4);
};

// Logits are floats, so they are not rounded.
TEST_P(Bf16Dense, Forward) {
  const Values expected = dense(problem_, x_, w_, b_);
  for (const PreparedPtr& candidate : candidates(test_device(), problem_, Pass::forward)) {
    SCOPED_TRACE(candidate->implementation());
    EXPECT_EQ(candidate->layout(Role::destination).type(), problem_.destination_type);
    OperatorRun run(candidate);
    run.give(Role::source, x_).give(Role::weights, w_);
    if (problem_.bias) run.give(Role::bias, b_);
    const Values y = run.run().take(Role::destination);
    EXPECT_TRUE(close_in_bf16(y, expected, 1e-5, problem_.destination_type == kBf16 ? 1 : 0));
  }
}

TEST_P(Bf16Dense, Backward) {
  for (const PreparedPtr& candidate : candidates(test_device(), problem_, Pass::backward_data)) {
    SCOPED_TRACE(candidate->implementation());
    OperatorRun run(candidate);
    run.give(Role::diff_destination, dy_).give(Role::weights, w_);
    EXPECT_TRUE(close_in_bf16(run.run().take(Role::diff_source), dense_backward_data(problem_, dy_, w_), 1e-5));
  }
  for (const PreparedPtr& candidate : candidates(test_device(), problem_, Pass::backward_weights)) {
    SCOPED_TRACE(candidate->implementation());
    OperatorRun run(candidate);
    run.give(Role::source, x_).give(Role::diff_destination, dy_);
    EXPECT_TRUE(close(run.run().take(Role::diff_weights), dense_backward_weights(problem_, x_, dy_), 1e-5));
    if (problem_.bias) {
      EXPECT_TRUE(close(run.take(Role::diff_bias), dense_backward_bias(problem_, dy_), 1e-5));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cases, Bf16Dense,
    testing::Values(DenseProblem{.batch = 5, .in_channels = 70, .out = 33, .type = kBf16, .destination_type = kBf16},
                    DenseProblem{.batch = 4, .in_channels = 40, .out = 10, .type = kBf16},
                    DenseProblem{.batch = 37, .in_channels = 100, .out = 150, .type = kBf16, .destination_type = kBf16},
                    DenseProblem{.batch = 50, .in_channels = 1100, .out = 1300, .type = kBf16},
                    DenseProblem{.batch = 21,
                                 .in_channels = 1120,
                                 .out = 603,
                                 .activation = Activation::relu6,
                                 .type = kBf16,
                                 .destination_type = kBf16},
                    DenseProblem{.batch = 1, .in_channels = 32, .out = 7, .bias = false, .type = kBf16},
                    DenseProblem{.batch = 17,
                                 .in_channels = 40,
                                 .in_h = 2,
                                 .in_w = 3,
                                 .out = 272,
                                 .image = true,
                                 .type = kBf16,
                                 .destination_type = kBf16},
                    DenseProblem{.batch = 3,
                                 .in_channels = 19,
                                 .in_h = 3,
                                 .in_w = 2,
                                 .out = 24,
                                 .image = true,
                                 .bias = false,
                                 .activation = Activation::relu,
                                 .type = kBf16,
                                 .destination_type = kBf16}));

}  // namespace
}  // namespace convoy::kernels
