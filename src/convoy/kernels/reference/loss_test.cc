#include "convoy/kernels/reference/loss.h"

#include <gtest/gtest.h>

#include <cmath>

#include "convoy/kernels/reference/gradient_check_test.h"

namespace convoy::kernels::reference {
namespace {

using Kind = LossProblem::Kind;

TEST(LossTwin, CrossEntropyIsMinusTheLogOfTheProbability) {
  const LossProblem problem{.batch = 2, .classes = 2};
  // The odds are three to one.
  const Values losses = loss(problem, {0, std::log(3.0), 0, std::log(3.0)}, {1, 0});
  EXPECT_NEAR(losses[0], -std::log(0.75), 1e-12);
  EXPECT_NEAR(losses[1], -std::log(0.25), 1e-12);
}

TEST(LossTwin, SmoothingGivesEveryClassItsShare) {
  const LossProblem problem{.classes = 2, .label_smoothing = 0.5F};
  const Values losses = loss(problem, {0, std::log(3.0)}, {1});
  EXPECT_NEAR(losses[0], -0.75 * std::log(0.75) - 0.25 * std::log(0.25), 1e-12);
}

TEST(LossTwin, SquaredErrorIsTheMeanOverClasses) {
  const LossProblem problem{.kind = Kind::mean_squared_error, .classes = 2};
  EXPECT_EQ(loss(problem, {3, 5}, {1}), (Values{(9.0 + 16.0) / 2}));
}

TEST(LossTwin, GradientsAreSlopes) {
  const Labels labels = {4, 0, 2};
  for (const LossProblem& problem :
       {LossProblem{.batch = 3, .classes = 5}, LossProblem{.batch = 3, .classes = 5, .label_smoothing = 0.1F},
        LossProblem{.kind = Kind::mean_squared_error, .batch = 3, .classes = 5}}) {
    const Values logits = random_values(15, 1, 3.0F);
    const auto total = [&](const Values& v) { return dot(Values(3, 1.0), loss(problem, v, labels)); };
    EXPECT_TRUE(is_gradient(total, logits, loss_gradient(problem, logits, labels)));
  }
}

}  // namespace
}  // namespace convoy::kernels::reference
