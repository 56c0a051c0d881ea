#include "convoy/comm/lost_ranks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

namespace convoy {
namespace {

using std::chrono_literals::operator""s;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Awaited = std::vector<int>;

TEST(MissingRanks, IsTheOneAtTheEndOfTheLine) {
  EXPECT_THAT(missing_ranks(0, {Awaited{1}, Awaited{2}, std::nullopt, Awaited{0}}), ElementsAre(2));
}

TEST(MissingRanks, AreAllThatAreAwaitedAndDoNotWait) {
  EXPECT_THAT(missing_ranks(1, {std::nullopt, Awaited{3, 2}, Awaited{0}, std::nullopt}), ElementsAre(0, 3));
}

TEST(MissingRanks, AreNotThoseThatNobodyAwaits) {
  EXPECT_THAT(missing_ranks(0, {Awaited{1}, std::nullopt, std::nullopt}), ElementsAre(1));
}

TEST(MissingRanks, AreNoneInACircle) { EXPECT_THAT(missing_ranks(0, {Awaited{1}, Awaited{2}, Awaited{0}}), IsEmpty()); }

TEST(LostRanksError, NamesRanksHostsAndTime) {
  const std::array kKeys = {0, 0, 1};
  const NodeMap nodes(kKeys, {"anna", "anna", "bert"});
  const SystemError error = lost_ranks_error(0, {1, 2}, nodes, 60s);
  EXPECT_EQ(error.rank(), 1);
  EXPECT_THAT(error.what(), HasSubstr("rank 1 on anna, rank 2 on bert did not answer within 60 s (rank 0 on anna"));
  EXPECT_THAT(lost_ranks_error(2, {}, nodes, 60s).what(), HasSubstr("rank 2 on bert gave up"));
}

TEST(NodeMap, NumbersNodesByTheirLowestRank) {
  const std::array kKeys = {9, 4, 9, 4, 7};
  const NodeMap nodes(kKeys, {"c", "a", "c", "a", "b"});
  EXPECT_EQ(nodes.node_count(), 3);
  EXPECT_THAT(nodes.ranks_of(0), ElementsAre(0, 2));
  EXPECT_THAT(nodes.ranks_of(1), ElementsAre(1, 3));
  EXPECT_THAT(nodes.leaders(), ElementsAre(0, 1, 4));
  EXPECT_EQ(nodes.node_of(3), 1);
  EXPECT_EQ(nodes.local_rank_of(3), 1);
  EXPECT_EQ(nodes.local_rank_of(4), 0);
  EXPECT_EQ(nodes.host_of(4), "b");
}

}  // namespace
}  // namespace convoy
