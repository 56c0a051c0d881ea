#include "convoy/kernels/lrn.h"

#include <gtest/gtest.h>

#include "convoy/kernels/reference/gradient_check_test.h"
#include "convoy/kernels/reference/lrn.h"
#include "convoy/kernels/reference/operator_run_test.h"

namespace convoy::kernels {
namespace {

using namespace reference;

class LrnShapes : public testing::TestWithParam<LrnProblem> {
 protected:
  const LrnProblem problem_ = GetParam();
  const std::int64_t count_ = problem_.batch * problem_.channels * problem_.h * problem_.w;
  const Values x_ = random_values(count_, 1, 4.0F);
  const Values dy_ = random_values(count_, 2);
};

TEST_P(LrnShapes, Forward) {
  for (const bool training : {false, true}) {
    OperatorRun run(prepare_lrn(test_device(), problem_, training));
    EXPECT_TRUE(close(run.give(Role::source, x_).run().take(Role::destination), lrn(problem_, x_), 1e-5)) << training;
  }
}

TEST_P(LrnShapes, Backward) {
  OperatorRun forward(prepare_lrn(test_device(), problem_, true));
  forward.give(Role::source, x_).run();
  OperatorRun backward(prepare_lrn_backward(test_device(), problem_));
  backward.give(Role::source, x_).give(Role::diff_destination, dy_).take_over(Role::workspace, forward).run();
  EXPECT_TRUE(close(backward.take(Role::diff_source), lrn_backward(problem_, x_, dy_), 1e-5));
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, LrnShapes,
    testing::Values(LrnProblem{.batch = 2, .channels = 32, .h = 5, .w = 4, .alpha = 0.5F},
                    LrnProblem{.batch = 2, .channels = 16, .h = 3, .w = 3, .alpha = 0.5F},
                    LrnProblem{.batch = 1, .channels = 96, .h = 3, .w = 3, .alpha = 0.9F, .k = 2.0F},
                    LrnProblem{.batch = 2, .channels = 17, .h = 3, .w = 5, .alpha = 0.5F},
                    LrnProblem{.batch = 3, .channels = 5, .h = 1, .w = 1, .alpha = 2.0F},
                    LrnProblem{.batch = 1, .channels = 1, .h = 4, .w = 4, .alpha = 2.0F},
                    LrnProblem{.batch = 2, .channels = 24, .h = 4, .w = 4, .size = 3, .alpha = 0.5F, .beta = 0.5F},
                    LrnProblem{.batch = 2, .channels = 32, .h = 4, .w = 4, .size = 7, .alpha = 0.5F, .beta = 1.0F}));

}  // namespace
}  // namespace convoy::kernels
