#include "convoy/study/plan/halving.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "convoy/base/error.h"
#include "convoy/base/odd_numbers_test.h"

namespace convoy::study {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Points = std::vector<HalvingPoint>;

TEST(Halving, RungsGrowByEtaUpToTheLast) {
  EXPECT_THAT(halving_rungs({.eta = 3, .first_epochs = 1, .last_epochs = 27}), ElementsAre(1, 3, 9, 27));
  EXPECT_THAT(halving_rungs({.eta = 2, .first_epochs = 2, .last_epochs = 9}), ElementsAre(2, 4, 8, 9));
  EXPECT_THAT(halving_rungs({.eta = 2, .first_epochs = 5, .last_epochs = 5}), ElementsAre(5));
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(halving_rungs({.eta = 2, .first_epochs = 1, .last_epochs = kMost}).back(), kMost);
}

TEST(Halving, ImpossibleRungsAreRefused) {
  EXPECT_THROW((void)halving_rungs({.eta = 1, .last_epochs = 2}), InternalError);
  EXPECT_THROW((void)halving_rungs({.first_epochs = 3, .last_epochs = 2}), InternalError);
}

TEST(Halving, TheBestThirdGoesOn) {
  const Points points = {{0, 5}, {0, 1}, {0, 4}, {0, 2}, {0, 3}, {0, 6}, {0, 7}};
  EXPECT_THAT(halving_survivors(points, 3), ElementsAre(1, 3));
  EXPECT_THAT(halving_survivors(points, 2), ElementsAre(1, 3, 4));
}

TEST(Halving, OneAlwaysGoesOn) {
  EXPECT_THAT(halving_survivors(Points{{0, 5}, {0, 1}}, 3), ElementsAre(1));
  EXPECT_THAT(halving_survivors(Points{}, 3), IsEmpty());
}

TEST(Halving, OfEqualsTheFirst) {
  EXPECT_THAT(halving_survivors(Points{{0, 2}, {0, 1}, {0, 1}, {0, 1}}, 2), ElementsAre(1, 2));
}

TEST(Halving, GroupsAreCutEachByItself) {
  // All of the second group are worse than all of the first.
  const Points points = {{1, 1}, {8, 11}, {1, 2}, {8, 10}, {1, 3}, {1, 4}};
  EXPECT_THAT(halving_survivors(points, 2), ElementsAre(0, 2, 3));
}

TEST(Halving, WhatDivergedNeverGoesOn) {
  // Two of the four would go on, but only one can.
  EXPECT_THAT(halving_survivors(Points{{0, kNan}, {0, kNan}, {0, 9}, {0, kNan}}, 2), ElementsAre(2));
  EXPECT_THAT(halving_survivors(Points{{1, kNan}, {2, 3}}, 2), ElementsAre(1));
}

}  // namespace
}  // namespace convoy::study
