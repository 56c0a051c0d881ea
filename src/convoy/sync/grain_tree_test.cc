#include "convoy/sync/grain_tree.h"

#include <gtest/gtest.h>

namespace convoy {
namespace {

TEST(GrainTree, SplitsAtTheLargestPowerOfTwo) {
  EXPECT_EQ(split_of({0, 2}), 1);
  EXPECT_EQ(split_of({0, 12}), 8);
  EXPECT_EQ(split_of({8, 12}), 10);
  EXPECT_EQ(split_of({0, 8}), 4);
}

TEST(GrainTree, ThreeRanksHaveASubtreeOfTwelveEach) {
  for (int rank = 0; rank < 3; ++rank) EXPECT_TRUE(is_subtree(12, grains_of_rank(12, rank, 3))) << rank;
}

TEST(GrainTree, ARangeIsMadeOfItsLargestSubtrees) {
  EXPECT_EQ(subtrees_of(12, {0, 6}), (std::vector<GrainRange>{{0, 4}, {4, 6}}));
  EXPECT_EQ(subtrees_of(12, {6, 12}), (std::vector<GrainRange>{{6, 8}, {8, 12}}));
  EXPECT_EQ(subtrees_of(12, {0, 12}), (std::vector<GrainRange>{{0, 12}}));
  EXPECT_FALSE(is_subtree(12, {2, 6}));
}

TEST(GrainTree, SubtreesCoverTheRangeWhateverItIs) {
  for (int grains = 1; grains <= 17; ++grains) {
    for (int first = 0; first < grains; ++first) {
      for (int last = first + 1; last <= grains; ++last) {
        int at = first;
        for (const GrainRange& part : subtrees_of(grains, {first, last})) {
          EXPECT_EQ(part.first, at);
          at = part.last;
        }
        EXPECT_EQ(at, last);
      }
    }
  }
}

}  // namespace
}  // namespace convoy
