#include "convoy/kernels/reference/lrn.h"

#include <gtest/gtest.h>

#include "convoy/kernels/reference/gradient_check_test.h"

namespace convoy::kernels::reference {
namespace {

TEST(LrnTwin, DividesByTheNeighbours) {
  const LrnProblem problem{.channels = 4, .size = 3, .alpha = 3.0F, .beta = 1.0F, .k = 2.0F};
  // 2 plus the squares of the channel and its neighbours; at the borders too, the sum is divided by the whole size.
  EXPECT_EQ(lrn(problem, {1, 2, 3, 4}), (Values{1.0 / 7, 2.0 / 16, 3.0 / 31, 4.0 / 27}));
}

TEST(LrnTwin, GradientsAreSlopes) {
  for (const LrnProblem& problem : {LrnProblem{.batch = 2, .channels = 7, .h = 2, .w = 2, .alpha = 0.9F},
                                    LrnProblem{.channels = 2, .h = 3, .size = 5, .alpha = 0.5F, .beta = 1.25F},
                                    LrnProblem{.channels = 5, .size = 3, .alpha = 2.0F, .k = 2.0F}}) {
    const std::int64_t count = problem.batch * problem.channels * problem.h * problem.w;
    const Values x = random_values(count, 1, 2.0F);
    const Values projection = random_values(count, 2);
    EXPECT_TRUE(is_gradient([&](const Values& v) { return dot(projection, lrn(problem, v)); }, x,
                            lrn_backward(problem, x, projection)));
  }
}

}  // namespace
}  // namespace convoy::kernels::reference
