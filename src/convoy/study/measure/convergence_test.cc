#include "convoy/study/measure/convergence.h"

#include <gtest/gtest.h>

#include <vector>

namespace convoy::study {
namespace {

std::vector<AccuracyPoint> curve_of(const std::vector<double>& accuracies) {
  std::vector<AccuracyPoint> curve;
  for (const double accuracy : accuracies) {
    const auto epoch = static_cast<std::int64_t>(curve.size()) + 1;
    curve.push_back({epoch, 10.0 * static_cast<double>(epoch), accuracy});
  }
  return curve;
}

TEST(Convergence, StableFromTheFirstEpochThatStaysWithinHalfAPoint) {
  const auto stable = stable_accuracy(curve_of({0.50, 0.60, 0.698, 0.70, 0.70, 0.70, 0.697}));
  ASSERT_TRUE(stable);
  EXPECT_EQ(stable->epoch, 3);
  EXPECT_DOUBLE_EQ(stable->seconds, 30);
  EXPECT_DOUBLE_EQ(stable->level, 0.70);
  EXPECT_EQ(stable->evaluations, 5);
}

TEST(Convergence, ALaterDipStartsItOver) {
  const auto stable = stable_accuracy(curve_of({0.70, 0.70, 0.70, 0.69, 0.70, 0.70, 0.70}));
  ASSERT_TRUE(stable);
  EXPECT_EQ(stable->epoch, 5);
}

TEST(Convergence, OneLuckyEvaluationDoesNotSetTheLevel) {
  // The best single one is 0.74, the best mean of three is (0.74 + 0.70 + 0.713) / 3.
  const auto stable = stable_accuracy(curve_of({0.70, 0.74, 0.70, 0.713, 0.713, 0.713}));
  ASSERT_TRUE(stable);
  EXPECT_NEAR(stable->level, 2.153 / 3, 1e-12);
  EXPECT_EQ(stable->epoch, 4);
}

TEST(Convergence, ExactlyHalfAPointIsWithin) {
  EXPECT_EQ(stable_accuracy(curve_of({0.694, 0.70, 0.70, 0.70}))->epoch, 2);
  EXPECT_EQ(stable_accuracy(curve_of({0.695, 0.70, 0.70, 0.70}))->epoch, 1);
}

TEST(Convergence, WhatStillClimbsIsNotStable) {
  EXPECT_FALSE(stable_accuracy(curve_of({0.1, 0.2, 0.3, 0.4, 0.5})));
  EXPECT_FALSE(stable_accuracy(curve_of({0.7, 0.7, 0.7, 0.5})));
  EXPECT_FALSE(stable_accuracy({}));
}

TEST(Convergence, TheToleranceIsTheCallers) {
  const auto curve = curve_of({0.5, 0.66, 0.70, 0.70, 0.70});
  EXPECT_EQ(stable_accuracy(curve)->epoch, 3);
  EXPECT_EQ(stable_accuracy(curve, 0.05)->epoch, 2);
}

TEST(Convergence, OneOrTwoEvaluationsAreNotStability) {
  // Must not be "stable from epoch 12 of 12" only because the last one happens to be at the best smoothed level.
  EXPECT_FALSE(stable_accuracy(curve_of({0.1, 0.2, 0.3, 0.69, 0.71, 0.73, 0.71})));
  EXPECT_FALSE(stable_accuracy(curve_of({0.70, 0.70, 0.70, 0.69, 0.70, 0.70})));
  EXPECT_FALSE(stable_accuracy(curve_of({0.3})));
  EXPECT_FALSE(stable_accuracy(curve_of({0.3, 0.3})));
  EXPECT_EQ(stable_accuracy(curve_of({0.3, 0.3, 0.3}))->evaluations, kStableEvaluations);
}

TEST(Convergence, UpToAnEpochLeavesOutWhatCameLater) {
  EXPECT_EQ(up_to_epoch(curve_of({0.1, 0.2, 0.3}), 2), curve_of({0.1, 0.2}));
  EXPECT_TRUE(up_to_epoch(curve_of({0.1}), 0).empty());
}

TEST(Convergence, TimeToAccuracyIsTheFirstAtOrAbove) {
  const auto curve = curve_of({0.5, 0.7, 0.6, 0.8});
  EXPECT_EQ(first_at_accuracy(curve, 0.7)->epoch, 2);
  EXPECT_DOUBLE_EQ(first_at_accuracy(curve, 0.71)->seconds, 40);
  EXPECT_FALSE(first_at_accuracy(curve, 0.81));
}

TEST(Convergence, OnlyEvaluatedEpochsAreOnTheCurve) {
  RunMeasures run;
  run.curve = {{.epoch = 1, .seconds = 5}, {.epoch = 2, .seconds = 11, .test_top1 = 0.4}};
  const auto curve = accuracy_curve(run);
  ASSERT_EQ(curve.size(), 1);
  EXPECT_EQ(curve[0], (AccuracyPoint{2, 11, 0.4}));
}

}  // namespace
}  // namespace convoy::study
