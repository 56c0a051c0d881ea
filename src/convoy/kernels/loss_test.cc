#include "convoy/kernels/loss.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "convoy/kernels/reference/gradient_check_test.h"
#include "convoy/kernels/reference/loss.h"
#include "convoy/kernels/reference/operator_run_test.h"

namespace convoy::kernels {
namespace {

using namespace reference;
using Kind = LossProblem::Kind;

struct Result {
  Values losses;
  Values gradient;
};

Result run_loss(const LossProblem& problem, const Values& logits, const Labels& labels, float gradient_scale,
                OtherLabels others = {}) {
  others.resize(labels.size());
  OperatorRun forward(prepare_loss(problem));
  forward.give(Role::source, logits).give_raw(Role::labels, std::span<const std::int32_t>(labels));
  forward.give_raw(Role::other_labels, std::span<const OtherLabel>(others)).run();
  OperatorRun backward(prepare_loss_backward(problem));
  backward.take_over(Role::workspace, forward).give_step({.gradient_scale = gradient_scale}).run();
  return {forward.take(Role::destination), backward.take(Role::diff_source)};
}

Labels labels_for(const LossProblem& problem) {
  Rng rng(5);
  Labels labels;
  for (std::int64_t n = 0; n < problem.batch; ++n) {
    labels.push_back(static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(problem.classes))));
  }
  return labels;
}

class Losses : public testing::TestWithParam<LossProblem> {};

TEST_P(Losses, AgreeWithTheTwin) {
  const LossProblem problem = GetParam();
  const Values logits = random_values(problem.batch * problem.classes, 1, 5.0F);
  const Labels labels = labels_for(problem);
  const Result result = run_loss(problem, logits, labels, 0.25F);
  EXPECT_TRUE(close(result.losses, loss(problem, logits, labels), 1e-6));
  Values expected = loss_gradient(problem, logits, labels);
  for (double& value : expected) value *= 0.25;
  EXPECT_TRUE(close(result.gradient, expected, 1e-6));
}

TEST_P(Losses, OfMixedSamplesAgreeWithTheTwin) {
  const LossProblem problem = GetParam();
  const Values logits = random_values(problem.batch * problem.classes, 1, 5.0F);
  const Labels labels = labels_for(problem);
  Rng rng(9);
  OtherLabels others;
  for (const std::int32_t label : labels) {
    const bool same = others.size() == 1;  // mixed with another sample of its own class
    const auto any = static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(problem.classes)));
    others.push_back({.label = same ? label : any, .share = rng.uniform()});
  }
  const Result result = run_loss(problem, logits, labels, 0.25F, others);
  EXPECT_TRUE(close(result.losses, loss(problem, logits, labels, others), 1e-6));
  Values expected = loss_gradient(problem, logits, labels, others);
  for (double& value : expected) value *= 0.25;
  EXPECT_TRUE(close(result.gradient, expected, 1e-6));
}

INSTANTIATE_TEST_SUITE_P(Shapes, Losses,
                         testing::Values(LossProblem{.batch = 1, .classes = 2}, LossProblem{.batch = 7, .classes = 10},
                                         LossProblem{.batch = 3, .classes = 1000, .label_smoothing = 0.1F},
                                         LossProblem{.batch = 4, .classes = 17, .label_smoothing = 0.5F},
                                         LossProblem{.batch = 2, .classes = 1},
                                         LossProblem{.kind = Kind::mean_squared_error, .batch = 5, .classes = 10},
                                         LossProblem{.kind = Kind::mean_squared_error, .batch = 1, .classes = 33}));

TEST(Loss, LargeLogitsDoNotOverflow) {
  const LossProblem problem{.batch = 3, .classes = 3, .label_smoothing = 0.1F};
  const Values logits = {1e6, -1e6, 0, 1e5, 1e5, -1e5, -1e6, -1e6, -1e6};
  const Labels labels = {1, 0, 2};
  const Result result = run_loss(problem, logits, labels, 1.0F);
  const Values expected = loss(problem, logits, labels);
  for (std::size_t n = 0; n < 3; ++n) EXPECT_NEAR(result.losses[n], expected[n], 1e-6 * expected[n]) << n;
  EXPECT_TRUE(close(result.gradient, loss_gradient(problem, logits, labels), 1e-6));
}

TEST(Loss, AConfidentHitCostsNothing) {
  const Result result = run_loss({.batch = 1, .classes = 2}, {200, -200}, {0}, 1.0F);
  EXPECT_EQ(result.losses, (Values{0}));
  EXPECT_EQ(result.gradient, (Values{0, 0}));
}

TEST(Loss, NanStaysInItsSample) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Kind kind : {Kind::softmax_cross_entropy, Kind::mean_squared_error}) {
    const Result result = run_loss({.kind = kind, .batch = 2, .classes = 3}, {0, nan, 1, 0, 0, 0}, {0, 1}, 1.0F);
    EXPECT_TRUE(std::isnan(result.losses[0]));
    EXPECT_FALSE(std::isnan(result.losses[1]));
    EXPECT_TRUE(std::isnan(result.gradient[1]));
    EXPECT_FALSE(std::isnan(result.gradient[4]));
  }
}

}  // namespace
}  // namespace convoy::kernels
