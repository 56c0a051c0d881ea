#include "convoy/sync/async_shards.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>

#include "convoy/base/throws_with_test.h"
#include "convoy/comm/peer_error.h"
#include "convoy/comm/thread/thread_world.h"
#include "convoy/sync/async_shards_check_test.h"

namespace convoy {
namespace {

TEST(AsyncShards, NothingIsLostOrTooOld) {
  for (const std::vector<int>& nodes : {std::vector<int>{0, 0}, {0, 1}, {0, 1, 2}, {0, 0, 1, 1, 2}}) {
    for (const int staleness : {1, 2, 5, 100}) {
      run_as_threads({.ranks = static_cast<int>(nodes.size()), .node_of_rank = nodes}, [&](Transport& transport) {
        Communicator communicator(transport);
        check_async(communicator, staleness);
      });
    }
  }
}

// The second rank begins only after the first has taken as many steps as it may without it.
TEST(AsyncShards, ARankDoesNotWaitForOthersWithinTheBound) {
  constexpr int kStaleness = 3;
  std::latch ahead(1);
  run_as_threads({.ranks = 2}, [&](Transport& transport) {
    Communicator communicator(transport);
    AsyncCounting counting(communicator, kStaleness);
    counting.open(8);
    if (transport.rank() == 1) ahead.wait();
    for (int step = 0; step < 8; ++step) {
      counting.take();
      if (transport.rank() == 0 && step == kStaleness) ahead.count_down();
    }
    counting.close({8, 8});
  });
}

// In each step but the last: the gradients of two shards and twice the own parameters. A meeting brings every shard to
// the two other ranks.
TEST(AsyncShards, SendsTheBytesOfARing) {
  constexpr double kSteps = 11;
  constexpr double kRanks = 3;
  constexpr double kPushHeads = 32;
  constexpr double kAnswerHeads = 24;
  run_as_threads({.ranks = 3, .node_of_rank = {0, 1, 2}}, [](Transport& transport) {
    Communicator communicator(transport);
    AsyncCounting counting(communicator, 2);
    const std::uint64_t before = transport.wire_bytes();
    counting.open(static_cast<std::int64_t>(kSteps));
    for (int step = 0; step < kSteps; ++step) counting.take();
    counting.close({11, 11, 11});
    const double sent = communicator.sum(static_cast<double>(transport.wire_bytes() - before));
    const double twice = 2 * kAsyncTrained * sizeof(float);
    EXPECT_EQ(sent,
              kSteps * (twice + 2 * kRanks * kPushHeads) + (kSteps - 1) * (twice + 2 * kRanks * kAnswerHeads) + twice);
  });
}

// An error on one rank may come while others still push; what the updates use is gone soon after.
TEST(AsyncShards, NothingIsUpdatedOnceItIsAbandoned) {
  std::latch abandoned(1);
  run_as_threads({.ranks = 2}, [&](Transport& transport) {
    Communicator communicator(transport);
    ReplicaMemory memory(communicator, kAsyncTrained, kAsyncTrained);
    std::atomic<bool> may_update = true;
    AsyncShards shards(communicator, memory, 4);
    shards.open(8, [&](const ArenaSlice& /*shard*/, std::span<float> /*parameters*/,
                       std::span<const float> /*gradients*/, double /*rate*/) { EXPECT_TRUE(may_update); });
    if (transport.rank() == 0) {
      shards.abandon();
      may_update = false;
      abandoned.count_down();
      return;
    }
    abandoned.wait();
    for (int step = 0; step < 3; ++step) {
      (void)shards.refresh();
      if (step == 0) shards.push(1, 1);
    }
    shards.abandon();
  });
}

TEST(AsyncShards, ALostRankIsNamed) {
  const auto lose_one = [] {
    run_as_threads({.ranks = 3}, [](Transport& transport) {
      Communicator communicator(transport);
      AsyncCounting counting(communicator, 2);
      counting.open(10);
      for (int step = 0; step < 10; ++step) {
        if (transport.rank() == 1 && step == 4) return;
        counting.take();
      }
      counting.close({10, 10, 10});
    });
  };
  EXPECT_TRUE(throws_with<PeerError>(lose_one, "rank 1"));
}

}  // namespace
}  // namespace convoy
