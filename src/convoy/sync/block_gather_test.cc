#include "convoy/sync/block_gather.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "convoy/comm/thread/thread_world.h"

namespace convoy {
namespace {

float element(std::size_t i, std::size_t matrix) {
  return std::sin(static_cast<float>(i * 7 + matrix)) * static_cast<float>(matrix + 1);
}

// Two matrices, in each of which every rank fills its block.
std::vector<std::vector<float>> gathered(Communicator& communicator, BlockGather& gather, bool encoded) {
  const auto ranks = static_cast<std::size_t>(communicator.size());
  std::vector<std::vector<float>> matrices = {std::vector<float>(33 * ranks), std::vector<float>(1000 * ranks)};
  for (std::size_t m = 0; m < matrices.size(); ++m) {
    const std::size_t block = matrices[m].size() / ranks;
    const std::size_t begin = block * static_cast<std::size_t>(communicator.rank());
    for (std::size_t i = begin; i < begin + block; ++i) matrices[m][i] = element(i, m);
  }
  const std::vector<std::span<float>> views(matrices.begin(), matrices.end());
  gather.gather(views, encoded, 5);
  return matrices;
}

TEST(BlockGather, EveryRankHasAllBlocks) {
  for (const int ranks : {1, 2, 3, 5}) {
    run_as_threads({.ranks = ranks}, [](Transport& transport) {
      Communicator communicator(transport);
      BlockGather gather(communicator, nullptr);
      EXPECT_FALSE(gather.can_encode());
      for (const bool encoded : {false, true}) {
        const auto matrices = gathered(communicator, gather, encoded);
        for (std::size_t m = 0; m < matrices.size(); ++m) {
          for (std::size_t i = 0; i < matrices[m].size(); ++i) ASSERT_EQ(matrices[m][i], element(i, m));
        }
      }
    });
  }
}

TEST(BlockGather, EncodedBlocksAreTheSameEverywhere) {
  run_as_threads({.ranks = 3, .node_of_rank = {0, 1, 2}}, [](Transport& transport) {
    Communicator communicator(transport);
    BlockGather gather(communicator, make_bf16_codec());
    EXPECT_TRUE(gather.can_encode());
    const std::uint64_t before = transport.wire_bytes();
    const auto matrices = gathered(communicator, gather, true);
    EXPECT_NEAR(static_cast<double>(transport.wire_bytes() - before), 2 * 1033 * 2, 64);
    for (std::size_t m = 0; m < matrices.size(); ++m) {
      std::vector<float> first = matrices[m];
      communicator.broadcast(std::as_writable_bytes(std::span(first)));
      EXPECT_EQ(first, matrices[m]);
      for (std::size_t i = 0; i < matrices[m].size(); ++i) ASSERT_NEAR(matrices[m][i], element(i, m), 0.01);
    }
  });
}

}  // namespace
}  // namespace convoy
