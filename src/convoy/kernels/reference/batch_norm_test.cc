#include "convoy/kernels/reference/batch_norm.h"

#include <gtest/gtest.h>

#include <cmath>

#include "convoy/kernels/reference/gradient_check_test.h"

namespace convoy::kernels::reference {
namespace {

// Two channels of two pixels in two samples: 1 2 3 6 has mean 3 and variance 3.5; 5 5 5 5 has variance 0.
const BatchNormProblem kSmall{.batch = 2, .channels = 2, .w = 2, .epsilon = 0.5F, .momentum = 0.25F};
const Values kSmallSource = {1, 2, 5, 5, 3, 6, 5, 5};

TEST(BatchNormTwin, NormalisesEachChannel) {
  const ChannelStatistics statistics = statistics_of(kSmall, kSmallSource);
  EXPECT_EQ(statistics.mean, (Values{3, 5}));
  EXPECT_EQ(statistics.variance, (Values{3.5, 0}));
  const Values y = batch_norm(kSmall, kSmallSource, {}, {{2, 2}, {1, 7}}, statistics);
  EXPECT_EQ(y, (Values{-1, 0, 7, 7, 1, 4, 7, 7}));
}

TEST(BatchNormTwin, RunningStatisticsTakeTheUnbiasedVariance) {
  const ChannelStatistics running = updated(kSmall, {{1, 1}, {2, 2}}, statistics_of(kSmall, kSmallSource));
  EXPECT_EQ(running.mean, (Values{1.5, 2}));
  EXPECT_NEAR(running.variance[0], 0.75 * 2 + 0.25 * 14.0 / 3.0, 1e-12);
  EXPECT_NEAR(running.variance[1], 1.5, 1e-12);
}

class BatchNormTwinGradients : public testing::TestWithParam<BatchNormProblem> {
 protected:
  [[nodiscard]] double loss(const Values& x, const Values& shortcut, const BatchNormParameters& parameters) const {
    return dot(projection_, batch_norm(problem_, x, shortcut, parameters, statistics_of(problem_, x)));
  }

  const BatchNormProblem problem_ = GetParam();
  const std::int64_t count_ = problem_.batch * problem_.channels * problem_.h * problem_.w;
  const Values x_ = random_values(count_, 1);
  const Values shortcut_ = random_values(count_, 2, 4.0F);
  const BatchNormParameters parameters_{random_values(problem_.channels, 3, 2.0F), random_values(problem_.channels, 4)};
  const Values projection_ = random_values(count_, 5);
};

TEST_P(BatchNormTwinGradients, AreSlopes) {
  const Values y = batch_norm(problem_, x_, shortcut_, parameters_, statistics_of(problem_, x_));
  const BatchNormGradients gradients = batch_norm_backward(problem_, x_, y, parameters_.scale, projection_);
  EXPECT_TRUE(is_gradient([&](const Values& x) { return loss(x, shortcut_, parameters_); }, x_, gradients.source));
  EXPECT_TRUE(is_gradient(
      [&](const Values& scale) {
        return loss(x_, shortcut_, {scale, parameters_.shift});
      },
      parameters_.scale, gradients.scale));
  EXPECT_TRUE(is_gradient(
      [&](const Values& shift) {
        return loss(x_, shortcut_, {parameters_.scale, shift});
      },
      parameters_.shift, gradients.shift));
  if (problem_.shortcut) {
    EXPECT_TRUE(is_gradient([&](const Values& shortcut) { return loss(x_, shortcut, parameters_); }, shortcut_,
                            gradients.shortcut));
  }
}

TEST_P(BatchNormTwinGradients, OfInferenceAreSlopes) {
  ChannelStatistics running{random_values(problem_.channels, 6), random_values(problem_.channels, 7)};
  for (double& variance : running.variance) variance = std::abs(variance) + 0.5;
  const auto loss = [&](const Values& x, const Values& shortcut) {
    return dot(projection_, batch_norm(problem_, x, shortcut, parameters_, running));
  };
  const Values y = batch_norm(problem_, x_, shortcut_, parameters_, running);
  const BatchNormGradients gradients =
      batch_norm_inference_backward(problem_, y, parameters_.scale, running.variance, projection_);
  EXPECT_TRUE(is_gradient([&](const Values& x) { return loss(x, shortcut_); }, x_, gradients.source));
  if (problem_.shortcut) {
    EXPECT_TRUE(is_gradient([&](const Values& shortcut) { return loss(x_, shortcut); }, shortcut_, gradients.shortcut));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, BatchNormTwinGradients,
    testing::Values(BatchNormProblem{.batch = 3, .channels = 2, .h = 3, .w = 2},
                    BatchNormProblem{.batch = 2, .channels = 3, .h = 2, .w = 2, .activation = Activation::relu},
                    BatchNormProblem{.batch = 4, .channels = 2, .activation = Activation::relu6, .shortcut = true},
                    BatchNormProblem{.batch = 1, .channels = 1, .h = 4, .w = 4, .shortcut = true}));

}  // namespace
}  // namespace convoy::kernels::reference
