#include "convoy/train/tally.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace convoy {
namespace {

constexpr float kFloatNan = std::numeric_limits<float>::quiet_NaN();

TEST(RankOfLabel, CountsClassesAboveTheTrueOne) {
  const std::array<float, 4> scores{0.1F, 2.0F, -1.0F, 0.5F};
  EXPECT_EQ(rank_of_label(scores, 1), 0);
  EXPECT_EQ(rank_of_label(scores, 3), 1);
  EXPECT_EQ(rank_of_label(scores, 2), 3);
}

TEST(RankOfLabel, TheFirstOfEqualsWins) {
  const std::array<float, 3> scores{1.0F, 1.0F, 0.0F};
  EXPECT_EQ(rank_of_label(scores, 0), 0);
  EXPECT_EQ(rank_of_label(scores, 1), 1);
}

TEST(RankOfLabel, WhatIsNoNumberIsNeverRight) {
  const std::array<float, 3> all_nan{kFloatNan, kFloatNan, kFloatNan};
  EXPECT_GE(rank_of_label(all_nan, 0), 3);
  const std::array<float, 3> other_nan{1.0F, kFloatNan, 0.0F};
  EXPECT_EQ(rank_of_label(other_nan, 0), 1);
}

TEST(SampleLoss, OfEqualScoresIsTheLogarithmOfClasses) {
  const std::array<float, 5> scores{3, 3, 3, 3, 3};
  EXPECT_NEAR(sample_loss(LossKind::cross_entropy, scores, 2), std::log(5.0), 1e-12);
}

TEST(SampleLoss, DoesNotOverflow) {
  const std::array<float, 2> scores{1000.0F, 0.0F};
  EXPECT_NEAR(sample_loss(LossKind::cross_entropy, scores, 0), 0.0, 1e-12);
  EXPECT_NEAR(sample_loss(LossKind::cross_entropy, scores, 1), 1000.0, 1e-9);
}

TEST(SampleLoss, MeanSquaredErrorIsAgainstTheOneHotRow) {
  const std::array<float, 2> scores{0.5F, 0.25F};
  EXPECT_DOUBLE_EQ(sample_loss(LossKind::mean_squared_error, scores, 0), (0.25 + 0.0625) / 2);
  EXPECT_DOUBLE_EQ(sample_loss(LossKind::mean_squared_error, scores, 1), (0.25 + 0.5625) / 2);
}

TEST(Tally, CountsOverBatches) {
  Tally tally(6, LossKind::cross_entropy);
  const std::array<float, 12> first{9, 5, 4, 3, 2, 1,   // label 0: right
                                    9, 5, 4, 3, 2, 1};  // label 5: not even among the top five
  const std::array<float, 6> second{9, 5, 4, 3, 2, 1};  // label 4: among the top five
  tally.add(first, std::array<std::int32_t, 2>{0, 5});
  tally.add(second, std::array<std::int32_t, 1>{4});
  const Metrics metrics = tally.metrics();
  EXPECT_EQ(metrics.samples, 3);
  EXPECT_DOUBLE_EQ(metrics.top1, 1.0 / 3);
  EXPECT_DOUBLE_EQ(metrics.top5, 2.0 / 3);
  EXPECT_EQ(tally.confused(5, 0), 1);
  EXPECT_EQ(tally.confused(0, 0), 1);
  EXPECT_EQ(tally.confused(0, 5), 0);
  const auto by_class = tally.class_accuracy();
  EXPECT_EQ(by_class[0], 1.0);
  EXPECT_EQ(by_class[4], 0.0);
  EXPECT_TRUE(std::isnan(by_class[1]));
}

TEST(CountRight, CountsRowsWhoseLabelScoresHighest) {
  const std::array<float, 6> scores{1, 2, 2, 1, 0, 5};
  EXPECT_EQ(count_right(scores, std::array<std::int32_t, 3>{1, 0, 0}), 2);
}

}  // namespace
}  // namespace convoy
