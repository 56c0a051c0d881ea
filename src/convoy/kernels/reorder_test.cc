#include "convoy/kernels/reorder.h"

#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/kernels/batch_norm.h"
#include "convoy/kernels/convolution.h"
#include "convoy/kernels/elementwise.h"
#include "convoy/kernels/reference/convolution.h"
#include "convoy/kernels/reference/convolution_case_test.h"
#include "convoy/kernels/reference/elementwise.h"
#include "convoy/kernels/reference/gradient_check_test.h"
#include "convoy/kernels/reference/operator_run_test.h"

namespace convoy::kernels {
namespace {

using namespace reference;

const Layout::Dims kDims = {2, 5, 3, 4};
const Values kNumbers = random_values(2 * 5 * 3 * 4, 1);

std::vector<Layout> image_layouts() {
  return {Layout::plain(kDims), Layout::channels_last(kDims), Layout::blocked(kDims)};
}

// The places of the elements are computed here and not taken from another reorder.
TEST(Reorder, PutsEveryElementInItsPlace) {
  const AlignedBuffer last = to_layout(kNumbers, Layout::channels_last(kDims));
  const AlignedBuffer blocked = to_layout(kNumbers, Layout::blocked(kDims));
  const Image image{2, 5, 3, 4};
  const std::int64_t block = channel_block();
  for (std::int64_t n = 0; n < 2; ++n) {
    for (std::int64_t c = 0; c < block; ++c) {
      for (std::int64_t pixel = 0; pixel < 12; ++pixel) {
        const double expected = c < 5 ? kNumbers[image.at(n, c, 0, pixel)] : 0;
        EXPECT_EQ(blocked.floats()[static_cast<std::size_t>((n * 12 + pixel) * block + c)], expected);
        if (c >= 5) continue;
        EXPECT_EQ(last.floats()[static_cast<std::size_t>((n * 12 + pixel) * 5 + c)], expected);
      }
    }
  }
}

TEST(Reorder, ThereAndBackChangesNothing) {
  for (const Layout& from : image_layouts()) {
    for (const Layout& to : image_layouts()) {
      OperatorRun run(prepare_reorder(test_device(), from, to));
      EXPECT_TRUE(same(run.give(Role::source, kNumbers).run().take(Role::destination), kNumbers))
          << from.describe() << " to " << to.describe();
    }
  }
}

ConvolutionProblem small_convolution() {
  return ConvolutionCase("", {2, 5, 6, 7}, 17, {3, 3}).pad(1).then(Activation::relu).problem();
}

TEST(Adapt, ReturnsTheOperatorWhereNothingDiffers) {
  const PreparedPtr inner = prepare_activation(Layout::blocked(kDims), Activation::relu);
  EXPECT_EQ(adapt(test_device(), inner, {}), inner);
  EXPECT_EQ(adapt(test_device(), inner, {{Role::source, Layout::blocked(kDims)}}), inner);
  // A role that the operator does not have makes no difference, and neither does an empty layout.
  EXPECT_EQ(adapt(test_device(), inner, {{Role::weights, Layout::plain(kDims)}, {Role::source, Layout()}}), inner);
}

TEST(Adapt, TakesOneOperandInAnotherLayout) {
  const PreparedPtr inner = prepare_add(Layout::blocked(kDims), Activation::none);
  const PreparedPtr adapted = adapt(test_device(), inner, {{Role::source2, Layout::channels_last(kDims)}});
  EXPECT_EQ(adapted->layout(Role::source), Layout::blocked(kDims));
  EXPECT_EQ(adapted->layout(Role::source2), Layout::channels_last(kDims));
  EXPECT_EQ(adapted->bytes(Role::source2), Layout::channels_last(kDims).bytes());
  EXPECT_GE(adapted->bytes(Role::scratchpad), Layout::blocked(kDims).bytes());
  EXPECT_EQ(adapted->implementation(), inner->implementation());
  OperatorRun run(adapted);
  run.give(Role::source, kNumbers).give(Role::source2, kNumbers).run();
  EXPECT_TRUE(same(run.take(Role::destination), add(kNumbers, kNumbers)));
}

// All operands of all passes are plain, for every implementation.
class AdaptedConvolution : public testing::Test {
 protected:
  [[nodiscard]] std::vector<PreparedPtr> plain_candidates(Pass pass) const {
    std::vector<PreparedPtr> result;
    for (const PreparedPtr& candidate : candidates(test_device(), problem_, pass, Arithmetic::direct_only)) {
      const Layout source = Layout::plain(problem_.source_dims());
      const Layout weights = Layout::plain(problem_.weights_dims());
      const Layout destination = Layout::plain(problem_.destination_dims());
      result.push_back(adapt(test_device(), candidate,
                             {{Role::source, source},
                              {Role::diff_source, source},
                              {Role::weights, weights},
                              {Role::diff_weights, weights},
                              {Role::destination, destination},
                              {Role::diff_destination, destination}}));
    }
    EXPECT_FALSE(result.empty()) << "nothing computes this";
    return result;
  }

  const ConvolutionProblem problem_ = small_convolution();
  const Values x_ = random_values(2 * 5 * 6 * 7, 1);
  const Values w_ = random_values(17 * 5 * 3 * 3, 2);
  const Values b_ = random_values(17, 3);
  const Values dy_ = random_values(2 * 17 * 6 * 7, 4);
};

TEST_F(AdaptedConvolution, Forward) {
  for (const PreparedPtr& candidate : plain_candidates(Pass::forward)) {
    EXPECT_EQ(candidate->layout(Role::destination), Layout::plain(problem_.destination_dims()));
    OperatorRun run(candidate);
    run.give(Role::source, x_).give(Role::weights, w_).give(Role::bias, b_).run();
    EXPECT_TRUE(close(run.take(Role::destination), convolution(problem_, x_, w_, b_), 1e-5))
        << candidate->implementation();
  }
}

TEST_F(AdaptedConvolution, Backward) {
  for (const PreparedPtr& candidate : plain_candidates(Pass::backward_data)) {
    OperatorRun run(candidate);
    run.give(Role::diff_destination, dy_).give(Role::weights, w_).run();
    EXPECT_TRUE(close(run.take(Role::diff_source), convolution_backward_data(problem_, dy_, w_), 1e-5))
        << candidate->implementation();
  }
  for (const PreparedPtr& candidate : plain_candidates(Pass::backward_weights)) {
    OperatorRun run(candidate);
    run.give(Role::diff_destination, dy_).give(Role::source, x_).run();
    EXPECT_TRUE(close(run.take(Role::diff_weights), convolution_backward_weights(problem_, x_, dy_), 1e-5))
        << candidate->implementation();
  }
}

// The destination is an input of this backward pass and must not be written.
TEST(Adapt, ReadsTheDestinationOfABackwardPass) {
  const Layout plain = Layout::plain(kDims);
  const Values y = activate(Activation::relu, kNumbers);
  const Values dy = random_values(2 * 5 * 3 * 4, 2);
  OperatorRun run(adapt(test_device(), prepare_activation_backward(Layout::blocked(kDims), Activation::relu),
                        {{Role::destination, plain}, {Role::diff_destination, plain}, {Role::diff_source, plain}}));
  run.give(Role::destination, y).give(Role::diff_destination, dy).run();
  EXPECT_TRUE(same(run.take(Role::diff_source), activate_backward(Activation::relu, y, dy)));
}

TEST(Adapt, WritesTheGradientOfAShortcut) {
  const BatchNormProblem problem{.batch = 2, .channels = 5, .h = 3, .w = 4, .shortcut = true};
  OperatorRun forward(prepare_batch_norm(problem));
  forward.give(Role::source, kNumbers).give(Role::source2, kNumbers);
  for (const Role role : {Role::weights, Role::bias, Role::running_mean, Role::running_variance}) {
    forward.give_row(role, Values(5, 1.0));
  }
  forward.run();
  const Values dy = random_values(2 * 5 * 3 * 4, 2);
  OperatorRun run(adapt(test_device(), prepare_batch_norm_backward(problem, {.write_shortcut_gradient = true}),
                        {{Role::diff_source2, Layout::plain(kDims)}}));
  run.take_over(Role::workspace, forward).give(Role::source, kNumbers).give(Role::diff_destination, dy);
  run.give_row(Role::weights, Values(5, 1.0)).give_row(Role::bias, Values(5, 1.0)).run();
  EXPECT_TRUE(same(run.take(Role::diff_source2), dy));
}

TEST(Bind, RefusesMissingMemory) {
  const Bindings nothing;
  EXPECT_THROW(static_cast<void>(prepare_activation(Layout::plain({4}), Activation::relu)->bind(nothing)),
               InternalError);
  EXPECT_THROW(
      static_cast<void>(prepare_reorder(test_device(), Layout::plain(kDims), Layout::blocked(kDims))->bind(nothing)),
      InternalError);
}

}  // namespace
}  // namespace convoy::kernels
