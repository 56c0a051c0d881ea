#include "convoy/kernels/smooth_activation.h"

#include <gtest/gtest.h>

#include "convoy/kernels/reference/bf16_values_test.h"
#include "convoy/kernels/reference/operator_run_test.h"
#include "convoy/kernels/reference/smooth_activation.h"

namespace convoy::kernels {
namespace {

using namespace reference;

constexpr SmoothActivation kKinds[] = {SmoothActivation::sigmoid, SmoothActivation::tanh};

// Rows, and images whose channels fill their blocks or do not; OperatorRun checks that padding stays zero.
class SmoothLayouts : public testing::TestWithParam<Layout::Dims> {
 protected:
  static Layout layout_of(const Layout::Dims& dims, DataType type = DataType::fp32) {
    return dims.size() == 4 ? Layout::blocked(dims, type) : Layout::plain(dims, type);
  }
  const Values x_ = random_bf16(GetParam(), 1, 4.0F);
  const Values dy_ = random_bf16(GetParam(), 2);
};

TEST_P(SmoothLayouts, ForwardAndBackward) {
  const Layout layout = layout_of(GetParam());
  for (const SmoothActivation kind : kKinds) {
    OperatorRun run(prepare_smooth_activation(layout, kind));
    const Values y = run.give(Role::source, x_).run().take(Role::destination);
    EXPECT_TRUE(close(y, smooth(kind, x_), 1e-6));
    OperatorRun in_place(prepare_smooth_activation(layout, kind));
    in_place.give(Role::source, x_).share(Role::destination, Role::source).run();
    EXPECT_TRUE(same(in_place.take(Role::destination), y));
    OperatorRun back(prepare_smooth_activation_backward(layout, kind));
    back.give(Role::destination, y).give(Role::diff_destination, dy_).run();
    EXPECT_TRUE(close(back.take(Role::diff_source), smooth_backward(kind, y, dy_), 1e-5));
  }
}

TEST_P(SmoothLayouts, InBf16) {
  const Layout layout = layout_of(GetParam(), kBf16);
  for (const SmoothActivation kind : kKinds) {
    OperatorRun run(prepare_smooth_activation(layout, kind));
    const Values y = run.give(Role::source, x_).run().take(Role::destination);
    EXPECT_TRUE(close_in_bf16(y, smooth(kind, x_), 1e-6));
    EXPECT_TRUE(has_rounded_only(y));
    OperatorRun back(prepare_smooth_activation_backward(layout, kind));
    back.give(Role::destination, y).give(Role::diff_destination, dy_);
    back.share(Role::diff_source, Role::diff_destination).run();
    EXPECT_TRUE(close_in_bf16(back.take(Role::diff_source), smooth_backward(kind, y, dy_), 1e-6));
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, SmoothLayouts,
                         testing::Values(Layout::Dims{1, 1}, Layout::Dims{3, 17}, Layout::Dims{2, 5, 3, 3},
                                         Layout::Dims{3, 16, 2, 5}, Layout::Dims{2, 35, 4, 4}));

TEST(Softmax, OfRowsAndBack) {
  for (const DataType type : {DataType::fp32, kBf16}) {
    const Layout layout = Layout::plain({4, 10}, type);
    const Values x = random_bf16({4, 10}, 3, 5.0F);
    const Values dy = random_bf16({4, 10}, 4);
    OperatorRun run(prepare_softmax(layout));
    const Values y = run.give(Role::source, x).run().take(Role::destination);
    EXPECT_TRUE(close_in_bf16(y, softmax(x, 4), 1e-6, type == kBf16 ? 1 : 1e-4));
    OperatorRun back(prepare_softmax_backward(layout));
    back.give(Role::destination, y).give(Role::diff_destination, dy).run();
    EXPECT_TRUE(
        close_in_bf16(back.take(Role::diff_source), softmax_backward(y, dy, 4), 1e-6, type == kBf16 ? 1 : 1e-4));
  }
}

TEST(Softmax, LargeScoresDoNotOverflow) {
  OperatorRun run(prepare_softmax(Layout::plain({2, 2})));
  EXPECT_EQ(run.give(Role::source, {1e6, 1e6, -1e6, 1e6}).run().take(Role::destination), (Values{0.5, 0.5, 0, 1}));
}

}  // namespace
}  // namespace convoy::kernels
