#include "convoy/engine/race.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace convoy {
namespace {

using testing::DoubleEq;
using testing::Each;
using testing::ElementsAre;

// Entrants whose runs take the given seconds, one after the other; the last is repeated for ever.
class Scripted {
 public:
  explicit Scripted(std::vector<std::vector<double>> seconds) : seconds_(std::move(seconds)), runs_(seconds_.size()) {}

  RaceTimes race() {
    return convoy::race(seconds_.size(), [this](std::size_t entrant) {
      const std::vector<double>& all = seconds_[entrant];
      return all[std::min(runs_[entrant]++, all.size() - 1)];
    });
  }

  // How often each entrant ran.
  [[nodiscard]] const std::vector<std::size_t>& runs() const { return runs_; }

 private:
  std::vector<std::vector<double>> seconds_;
  std::vector<std::size_t> runs_;
};

TEST(Race, TheShortestRunOfEachCounts) {
  Scripted entrants({{0.003, 0.002, 0.0021}, {0.0022, 0.0025, 0.0022}});
  const RaceTimes times = entrants.race();
  EXPECT_THAT(times.seconds, ElementsAre(DoubleEq(0.002), DoubleEq(0.0022)));
  EXPECT_TRUE(times.settled);
  EXPECT_EQ(times.best(), 0.002);
}

TEST(Race, AnEntrantWhoseFirstRunsWereSpoiledMayStillWin) {
  Scripted entrants({{0.002}, {0.008, 0.0045, 0.001}});
  EXPECT_THAT(entrants.race().seconds, ElementsAre(DoubleEq(0.002), DoubleEq(0.001)));
}

TEST(Race, TheSlowLeaveEarly) {
  Scripted entrants({{0.001}, {0.0015}, {0.01}});
  EXPECT_TRUE(entrants.race().settled);
  EXPECT_GT(entrants.runs()[0], 3);
  EXPECT_EQ(entrants.runs()[1], 2) << "a second run tells that the first was no chance";
  EXPECT_EQ(entrants.runs()[2], 2);
}

TEST(Race, TheVerySlowRunOnce) {
  Scripted entrants({{0.01}, {0.06}});
  (void)entrants.race();
  EXPECT_EQ(entrants.runs()[1], 1);
}

TEST(Race, TimesThatNeverAgreeAreNotSettled) {
  std::vector<double> faster;
  for (int i = 0; i < 20; ++i) faster.push_back(0.02 * std::pow(0.9, i));
  Scripted entrants({faster, {0.02}});
  EXPECT_FALSE(entrants.race().settled);
}

TEST(Race, WhatLostNeedsNoAgreement) {
  Scripted entrants({{0.001}, {0.009, 0.004, 0.0072, 0.0055}});
  EXPECT_TRUE(entrants.race().settled);
}

TEST(Race, ItEndsSoonHoweverTimesVary) {
  double spent = 0;
  int run = 0;
  const RaceTimes times = race(2, [&](std::size_t /*entrant*/) {
    const double seconds = 0.02 * std::pow(0.93, run++);
    spent += seconds;
    return seconds;
  });
  EXPECT_FALSE(times.settled);
  EXPECT_LT(spent, 0.2);
  run = 0;
  (void)race(1, [&](std::size_t /*entrant*/) { return 1e-6 * std::pow(0.9, run++); });
  EXPECT_LT(run, 10) << "short ones are not repeated until the time is over";
}

TEST(Race, OneAloneIsTimedToo) {
  Scripted entrants({{0.5, 0.4}});
  EXPECT_THAT(entrants.race().seconds, Each(0.4));
}

}  // namespace
}  // namespace convoy
