#include "convoy/kernels/reference/elementwise.h"

#include <gtest/gtest.h>

#include "convoy/kernels/reference/gradient_check_test.h"

namespace convoy::kernels::reference {
namespace {

TEST(ElementwiseTwin, Clamps) {
  const Values x = {-7, -0.5, 0, 0.5, 6, 7};
  EXPECT_EQ(activate(Activation::none, x), x);
  EXPECT_EQ(activate(Activation::relu, x), (Values{0, 0, 0, 0.5, 6, 7}));
  EXPECT_EQ(activate(Activation::relu6, x), (Values{0, 0, 0, 0.5, 6, 6}));
}

TEST(ElementwiseTwin, ActivationGradientsAreSlopes) {
  const Values x = random_values(50, 1, 9.0F);
  const Values projection = random_values(50, 2);
  for (const Activation activation : {Activation::none, Activation::relu, Activation::relu6}) {
    EXPECT_TRUE(is_gradient([&](const Values& v) { return dot(projection, activate(activation, v)); }, x,
                            activate_backward(activation, activate(activation, x), projection)));
  }
}

TEST(ElementwiseTwin, Adds) { EXPECT_EQ(add({1, 2}, {10, 20}), (Values{11, 22})); }

}  // namespace
}  // namespace convoy::kernels::reference
