#include "convoy/kernels/reference/convolution.h"

#include <gtest/gtest.h>

#include "convoy/kernels/reference/convolution_case_test.h"
#include "convoy/kernels/reference/elementwise.h"
#include "convoy/kernels/reference/gradient_check_test.h"

namespace convoy::kernels::reference {
namespace {

// These numbers were computed by hand, so that forward is right and not only consistent with its gradients.
TEST(ConvolutionTwin, PadsOnOneSideOnlyAndStrides) {
  const auto problem = ConvolutionCase("", {1, 1, 2, 3}, 1, {2, 2}).stride(1, 2).pad(0, 1, 0, 0).problem();
  // 0 1 2 3      windows 0 1 and 2 3
  // 0 4 5 6              0 4     5 6
  EXPECT_EQ(convolution(problem, {1, 2, 3, 4, 5, 6}, {1, 10, 100, 1000}, {0.5}), (Values{4010.5, 6532.5}));
}

TEST(ConvolutionTwin, Dilates) {
  const auto problem = ConvolutionCase("", {1, 1, 3, 4}, 1, {2, 2}).dilation(2, 2).no_bias().problem();
  const Values x = {1, 2, 3, 4, 9, 9, 9, 9, 5, 6, 7, 8};
  EXPECT_EQ(convolution(problem, x, {1, 10, 100, 1000}, {}), (Values{7531, 8642}));
}

TEST(ConvolutionTwin, KeepsGroupsApart) {
  const ConvolutionProblem problem{.in_channels = 4, .out_channels = 2, .groups = 2, .bias = false};
  EXPECT_EQ(convolution(problem, {1, 2, 3, 4}, {1, 10, 100, 1000}, {}), (Values{21, 4300}));
}

TEST(ConvolutionTwin, ClampsItsResult) {
  ConvolutionProblem problem{.out_channels = 3, .activation = Activation::relu};
  EXPECT_EQ(convolution(problem, {1}, {-1, 5, 7}, {0, 0, 0}), (Values{0, 5, 7}));
  problem.activation = Activation::relu6;
  EXPECT_EQ(convolution(problem, {1}, {-1, 5, 7}, {0, 0, 0}), (Values{0, 5, 6}));
}

class ConvolutionTwinGradients : public testing::TestWithParam<ConvolutionCase> {
 protected:
  const ConvolutionProblem problem_ = GetParam().problem();
  const Image weights_{problem_.out_channels, problem_.in_channels / problem_.groups, problem_.kernel_h,
                       problem_.kernel_w};
  const Values x_ = random_values(problem_.batch * problem_.in_channels * problem_.in_h * problem_.in_w, 1);
  const Values w_ = random_values(std::ssize(weights_.zeros()), 2);
  const Values b_ = random_values(problem_.out_channels, 3);
  const Values y_ = convolution(problem_, x_, w_, b_);
  const Values projection_ = random_values(std::ssize(y_), 4);
  const Values dy_ = activate_backward(problem_.activation, y_, projection_);
};

TEST_P(ConvolutionTwinGradients, AreSlopes) {
  EXPECT_TRUE(is_gradient([&](const Values& x) { return dot(projection_, convolution(problem_, x, w_, b_)); }, x_,
                          convolution_backward_data(problem_, dy_, w_)));
  EXPECT_TRUE(is_gradient([&](const Values& w) { return dot(projection_, convolution(problem_, x_, w, b_)); }, w_,
                          convolution_backward_weights(problem_, x_, dy_)));
  EXPECT_TRUE(is_gradient([&](const Values& b) { return dot(projection_, convolution(problem_, x_, w_, b)); }, b_,
                          convolution_backward_bias(problem_, dy_)));
}

using Case = ConvolutionCase;

INSTANTIATE_TEST_SUITE_P(
    Shapes, ConvolutionTwinGradients,
    testing::Values(Case("same", {2, 3, 4, 5}, 2, {3, 3}).pad(1).then(Activation::relu),
                    Case("strided", {1, 2, 5, 4}, 3, {2, 3}).stride(3, 2).pad(0, 2, 1, 0),
                    Case("dilated", {2, 4, 5, 5}, 6, {3, 2}).dilation(2, 2).groups(2).then(Activation::relu6),
                    Case("depthwise", {1, 3, 3, 3}, 3, {3, 3}).pad(2, 2, 0, 0).groups(3),
                    Case("pixel", {3, 5, 1, 1}, 4, {1, 1})),
    [](const auto& row) { return row.param.name(); });

}  // namespace
}  // namespace convoy::kernels::reference
