#include "convoy/sync/block_swap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "convoy/comm/thread/thread_world.h"

namespace convoy {
namespace {

// Rank a has (a + 1) * (b + 1) bytes for rank b, all with the value 16 a + b.
TEST(BlockSwap, BringsEveryRankItsBlocks) {
  for (const int ranks : {1, 2, 3, 5}) {
    run_as_threads({.ranks = ranks}, [&](Transport& transport) {
      Communicator communicator(transport);
      const int own = communicator.rank();
      BlockSwap swap(communicator);
      for (const std::uint64_t subject : {3, 4}) {
        std::vector<int> seen;
        swap.swap({.bytes_to = [&](int rank) { return static_cast<std::size_t>((own + 1) * (rank + 1)); },
                   .bytes_from = [&](int rank) { return static_cast<std::size_t>((rank + 1) * (own + 1)); },
                   .write =
                       [&](int rank, std::span<std::byte> block) {
                         std::ranges::fill(block, static_cast<std::byte>(16 * own + rank));
                       },
                   .read =
                       [&](int rank, std::span<const std::byte> block) {
                         seen.push_back(rank);
                         ASSERT_EQ(block.size(), static_cast<std::size_t>((rank + 1) * (own + 1)));
                         for (const std::byte byte : block) ASSERT_EQ(byte, static_cast<std::byte>(16 * rank + own));
                       }},
                  subject);
        ASSERT_EQ(seen.size(), static_cast<std::size_t>(ranks));
        for (int i = 0; i < ranks; ++i) EXPECT_EQ(seen[static_cast<std::size_t>(i)], (own + ranks - i) % ranks);
      }
    });
  }
}

}  // namespace
}  // namespace convoy
