#include "convoy/train/stop_policy.h"

#include <gtest/gtest.h>

#include <cmath>

namespace convoy {
namespace {

TEST(BestEpoch, KeepsTheFirstOfEqualsAndCountsSince) {
  BestEpoch best;
  EXPECT_TRUE(best.consider(1, 0.5));
  EXPECT_FALSE(best.consider(2, 0.5));
  EXPECT_FALSE(best.consider(3, 0.4));
  EXPECT_EQ(best.epoch, 1);
  EXPECT_EQ(best.evaluations_since, 2);
  EXPECT_TRUE(best.consider(4, 0.6));
  EXPECT_EQ(best.evaluations_since, 0);
}

TEST(BestEpoch, ZeroIsBetterThanNothingAndNanIsNot) {
  BestEpoch best;
  EXPECT_FALSE(best.consider(1, std::nan("")));
  EXPECT_TRUE(best.consider(2, 0.0));
}

TEST(ReasonToStop, AtTheTarget) {
  BestEpoch best;
  best.consider(1, 0.93);
  EXPECT_TRUE(reason_to_stop({.target_top1 = 0.93}, best));
  EXPECT_FALSE(reason_to_stop({.target_top1 = 0.931}, best));
  EXPECT_FALSE(reason_to_stop({}, best));
}

TEST(ReasonToStop, WhenPatienceIsOver) {
  BestEpoch best;
  best.consider(1, 0.5);
  best.consider(2, 0.4);
  EXPECT_FALSE(reason_to_stop({.patience = 2}, best));
  best.consider(3, 0.4);
  EXPECT_TRUE(reason_to_stop({.patience = 2}, best));
  EXPECT_FALSE(reason_to_stop({.patience = 0}, best));
}

TEST(ReasonToStop, WhenTimeIsOver) {
  EXPECT_FALSE(reason_to_stop({}, 1e9));
  EXPECT_FALSE(reason_to_stop({.max_seconds = 10}, 9.9));
  EXPECT_TRUE(reason_to_stop({.max_seconds = 10}, 10.0));
}

}  // namespace
}  // namespace convoy
