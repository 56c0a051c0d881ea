#include "convoy/kernels/elementwise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "convoy/base/odd_numbers_test.h"
#include "convoy/kernels/reference/elementwise.h"
#include "convoy/kernels/reference/gradient_check_test.h"
#include "convoy/kernels/reference/operator_run_test.h"

namespace convoy::kernels {
namespace {

using namespace reference;

constexpr Activation kActivations[] = {Activation::none, Activation::relu, Activation::relu6};

// Lengths around the width of a vector and around the number of elements that a thread takes at a time.
class ElementwiseRows : public testing::TestWithParam<std::int64_t> {
 protected:
  const Layout layout_ = Layout::plain({GetParam()});
  const Values a_ = random_values(GetParam(), 1, 8.0F);
  const Values b_ = random_values(GetParam(), 2, 8.0F);
};

TEST_P(ElementwiseRows, Activation) {
  for (const Activation activation : kActivations) {
    OperatorRun run(prepare_activation(layout_, activation));
    EXPECT_TRUE(same(run.give(Role::source, a_).run().take(Role::destination), activate(activation, a_)));
    OperatorRun in_place(prepare_activation(layout_, activation));
    in_place.give(Role::source, a_).share(Role::destination, Role::source).run();
    EXPECT_TRUE(same(in_place.take(Role::destination), activate(activation, a_)));
  }
}

TEST_P(ElementwiseRows, ActivationBackward) {
  for (const Activation activation : kActivations) {
    const Values y = activate(activation, a_);
    const Values expected = activate_backward(activation, y, b_);
    OperatorRun run(prepare_activation_backward(layout_, activation));
    run.give(Role::destination, y).give(Role::diff_destination, b_).run();
    EXPECT_TRUE(same(run.take(Role::diff_source), expected));
    OperatorRun in_place(prepare_activation_backward(layout_, activation));
    in_place.give(Role::destination, y).give(Role::diff_destination, b_);
    in_place.share(Role::diff_source, Role::diff_destination).run();
    EXPECT_TRUE(same(in_place.take(Role::diff_source), expected));
  }
}

TEST_P(ElementwiseRows, Add) {
  for (const Activation activation : kActivations) {
    const Values expected = activate(activation, add(a_, b_));
    OperatorRun run(prepare_add(layout_, activation));
    run.give(Role::source, a_).give(Role::source2, b_).run();
    EXPECT_TRUE(close(run.take(Role::destination), expected, 1e-7));
    for (const Role overwritten : {Role::source, Role::source2}) {
      OperatorRun in_place(prepare_add(layout_, activation));
      in_place.give(Role::source, a_).give(Role::source2, b_).share(Role::destination, overwritten).run();
      EXPECT_TRUE(close(in_place.take(Role::destination), expected, 1e-7));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Lengths, ElementwiseRows, testing::Values(1, 5, 15, 16, 17, 31, 8191, 8192, 8195, 40007),
                         testing::PrintToStringParamName());

TEST(Elementwise, KeepsPaddingZeroInBlockedLayouts) {
  const Layout layout = Layout::blocked({2, 5, 3, 3});
  const Values x = random_values(90, 1);
  OperatorRun activation(prepare_activation(layout, Activation::relu));
  EXPECT_TRUE(same(activation.give(Role::source, x).run().take(Role::destination), activate(Activation::relu, x)));
  OperatorRun sum(prepare_add(layout, Activation::none));
  sum.give(Role::source, x).give(Role::source2, x).run();
  EXPECT_TRUE(same(sum.take(Role::destination), add(x, x)));
}

TEST(Elementwise, ActivationsLetNanThrough) {
  const Values x = {kNan, -kNan, -1, 7, kInfinity, -kInfinity};
  for (const Activation activation : kActivations) {
    OperatorRun run(prepare_activation(Layout::plain({6}), activation));
    const Values y = run.give(Role::source, x).run().take(Role::destination);
    EXPECT_TRUE(std::isnan(y[0]) && std::isnan(y[1]));
    EXPECT_EQ(y[2], activation == Activation::none ? -1 : 0);
    EXPECT_EQ(y[4], activation == Activation::relu6 ? 6 : kInfinity);
  }
}

TEST(Elementwise, GradientsAreCutAtTheKinks) {
  // At the kink itself the slope is zero, as in PyTorch.
  OperatorRun run(prepare_activation_backward(Layout::plain({4}), Activation::relu6));
  run.give(Role::destination, {0, 1e-30, 5.99, 6}).give(Role::diff_destination, {3, 3, 3, 3}).run();
  EXPECT_EQ(run.take(Role::diff_source), (Values{0, 3, 3, 0}));
}

}  // namespace
}  // namespace convoy::kernels
