#include "convoy/study/measure/overfitting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace convoy::study {
namespace {

using testing::HasSubstr;

std::vector<CurvePoint> losses_over_epochs(const std::vector<double>& train, const std::vector<double>& test) {
  std::vector<CurvePoint> curve;
  for (std::size_t i = 0; i < train.size(); ++i) {
    curve.push_back({.epoch = static_cast<std::int64_t>(i) + 1, .train_loss = train[i], .test_loss = test[i]});
  }
  return curve;
}

TEST(Overfitting, IsSeenWhereTestLossRisesAndTrainingLossFalls) {
  const auto verdict =
      judge_overfitting(losses_over_epochs({2, 1, 0.8, 0.6, 0.4, 0.3, 0.2}, {2, 1, 0.9, 0.9, 1.2, 1.3, 1.4}));
  EXPECT_EQ(verdict.overfitting, Overfitting::seen);
  EXPECT_THAT(verdict.why, HasSubstr("test loss 0.933 around epoch 3 and 1.3 in the end, training loss 0.8 and 0.3"));
}

TEST(Overfitting, IsNotSeenWhereBothFallOrBothRise) {
  const auto judged = [](const std::vector<double>& train, const std::vector<double>& test) {
    return judge_overfitting(losses_over_epochs(train, test)).overfitting;
  };
  EXPECT_EQ(judged({6, 5, 4, 3, 2, 1}, {6, 5, 4, 3, 2, 1}), Overfitting::not_seen);
  EXPECT_EQ(judged({1, 1, 1, 2, 2, 2}, {1, 1, 1, 2, 2, 2}), Overfitting::not_seen);    // it diverges
  EXPECT_EQ(judged({6, 5, 4, 3, 2, 1}, {1, 1, 1, 1, 1, 1.1}), Overfitting::not_seen);  // only one evaluation is worse
  EXPECT_EQ(judged({6, 5, 4, 3, 2, 1}, {1, 1, 1, 1.04, 1.04, 1.04}), Overfitting::not_seen);
}

TEST(Overfitting, IsUnknownWithoutEnoughEvaluations) {
  auto curve = losses_over_epochs({6, 5, 4, 3, 2, 1}, {1, 1, 1, 2, 2, 2});
  EXPECT_EQ(judge_overfitting(curve).overfitting, Overfitting::seen);
  curve[2].test_loss.reset();
  EXPECT_EQ(judge_overfitting(curve).overfitting, Overfitting::unknown);
  EXPECT_THAT(judge_overfitting(curve).why, HasSubstr("5 evaluations"));
  curve[2].test_loss = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(judge_overfitting(curve).overfitting, Overfitting::unknown);
  EXPECT_EQ(judge_overfitting({}).overfitting, Overfitting::unknown);
}

}  // namespace
}  // namespace convoy::study
