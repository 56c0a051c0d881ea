#include "convoy/kernels/reference/smooth_activation.h"

#include <gtest/gtest.h>

#include <numeric>

#include "convoy/kernels/reference/gradient_check_test.h"

namespace convoy::kernels::reference {
namespace {

TEST(SmoothTwin, KnownValues) {
  EXPECT_EQ(smooth(SmoothActivation::sigmoid, {0}), Values{0.5});
  EXPECT_EQ(smooth(SmoothActivation::tanh, {0}), Values{0});
  EXPECT_NEAR(smooth(SmoothActivation::sigmoid, {2})[0], 0.8807970779778823, 1e-15);
  EXPECT_NEAR(smooth(SmoothActivation::tanh, {1})[0], 0.7615941559557649, 1e-15);
  EXPECT_EQ(softmax({3, 3, 3, 3}, 2), (Values{0.5, 0.5, 0.5, 0.5}));
}

TEST(SmoothTwin, GradientsAreSlopes) {
  const Values x = random_values(30, 1, 3.0F);
  const Values projection = random_values(30, 2);
  for (const SmoothActivation kind : {SmoothActivation::sigmoid, SmoothActivation::tanh}) {
    EXPECT_TRUE(is_gradient([&](const Values& v) { return dot(projection, smooth(kind, v)); }, x,
                            smooth_backward(kind, smooth(kind, x), projection)));
  }
  EXPECT_TRUE(is_gradient([&](const Values& v) { return dot(projection, softmax(v, 3)); }, x,
                          softmax_backward(softmax(x, 3), projection, 3)));
}

}  // namespace
}  // namespace convoy::kernels::reference
