#include "convoy/comm/communicator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "convoy/comm/solo/solo_transport.h"
#include "convoy/comm/thread/thread_world.h"

namespace convoy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class CommunicatorOf : public testing::TestWithParam<int> {};

TEST_P(CommunicatorOf, BroadcastsFromAnyRoot) {
  run_as_threads({.ranks = GetParam()}, [](Transport& transport) {
    Communicator communicator(transport);
    for (int root = 0; root < communicator.size(); ++root) {
      int number = communicator.rank() + 100;
      communicator.broadcast(std::as_writable_bytes(std::span(&number, 1)), root);
      EXPECT_EQ(number, root + 100);
      const std::string text(static_cast<std::size_t>(communicator.rank()) * 3, static_cast<char>('a' + root));
      EXPECT_EQ(communicator.broadcast(text, root),
                std::string(static_cast<std::size_t>(root) * 3, static_cast<char>('a' + root)));
    }
  });
}

TEST_P(CommunicatorOf, GathersRecordsInTheOrderOfRanks) {
  run_as_threads({.ranks = GetParam()}, [](Transport& transport) {
    Communicator communicator(transport);
    const int root = communicator.size() - 1;
    const auto records = communicator.gather(std::string(communicator.rank(), 'x'), root);
    if (communicator.rank() != root) {
      EXPECT_THAT(records, IsEmpty());
      return;
    }
    ASSERT_EQ(static_cast<int>(records.size()), communicator.size());
    for (int rank = 0; rank < communicator.size(); ++rank) {
      EXPECT_EQ(records[rank], std::string(rank, 'x'));
    }
  });
}

TEST_P(CommunicatorOf, FindsMinimumAndMaximum) {
  const int ranks = GetParam();
  run_as_threads({.ranks = ranks}, [&](Transport& transport) {
    Communicator communicator(transport);
    const double value = ((communicator.rank() + 1) % ranks) - 0.25;
    EXPECT_EQ(communicator.min(value), -0.25);
    EXPECT_EQ(communicator.max(value), ranks - 1.25);
  });
}

INSTANTIATE_TEST_SUITE_P(Threads, CommunicatorOf, testing::Values(1, 2, 3, 5, 8));

TEST(Communicator, SharedMemoryIsZeroedAlignedAndTheRanksOwn) {
  run_as_threads({.ranks = 4, .node_of_rank = {0, 0, 1, 1}}, [](Transport& transport) {
    Communicator communicator(transport);
    const std::span<std::byte> first = communicator.allocate_shared(100);
    const std::span<std::byte> second = communicator.allocate_shared(7);
    ASSERT_EQ(first.size(), 100U);
    ASSERT_EQ(second.size(), 7U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first.data()) % 64, 0U);
    EXPECT_THAT(first, testing::Each(std::byte{0}));
    communicator.barrier();
    std::ranges::fill(first, static_cast<std::byte>(transport.rank()));
    communicator.barrier();
    EXPECT_THAT(first, testing::Each(static_cast<std::byte>(transport.rank())));
    EXPECT_THAT(second, testing::Each(std::byte{0}));
  });
}

TEST(Communicator, KnowsItsNodes) {
  run_as_threads({.ranks = 3, .node_of_rank = {7, 2, 7}}, [](Transport& transport) {
    const Communicator communicator(transport);
    EXPECT_EQ(communicator.size(), 3);
    EXPECT_EQ(communicator.nodes().node_count(), 2);
    EXPECT_THAT(communicator.nodes().ranks_of(0), ElementsAre(0, 2));
  });
}

TEST(Communicator, OfOneRankNeedsNobody) {
  SoloTransport solo;
  Communicator communicator(solo);
  communicator.barrier();
  EXPECT_EQ(communicator.size(), 1);
  EXPECT_EQ(communicator.broadcast("text"), "text");
  EXPECT_THAT(communicator.gather("record"), ElementsAre("record"));
  EXPECT_EQ(communicator.min(2.5), 2.5);
  EXPECT_EQ(communicator.max(2.5), 2.5);
}

TEST(Communicator, CountsWhatLeavesTheNode) {
  run_as_threads({.ranks = 3, .node_of_rank = {0, 0, 1}}, [](Transport& transport) {
    std::vector<std::byte> bytes(100);
    const int next = (transport.rank() + 1) % 3;
    const int previous = (transport.rank() + 2) % 3;
    transport.exchange(next, std::span<const std::byte>(bytes), previous, bytes);
    EXPECT_EQ(transport.wire_bytes(), transport.rank() == 0 ? 0U : 100U);
    if (transport.rank() == 0) transport.send(2, std::span<const std::byte>(bytes).first(7));
    if (transport.rank() == 2) transport.receive(0, std::span(bytes).first(7));
    EXPECT_EQ(transport.wire_bytes(), transport.rank() == 0 ? 7U : 100U) << "receiving is not sending";
  });
}

// Either two delegates per node have a slice each, or one has everything. `between` only ever sees sums over a node.
TEST(Communicator, SumsBetweenNodesAsItIsTold) {
  for (const bool whole : {false, true}) {
    run_as_threads({.ranks = 4, .node_of_rank = {0, 0, 1, 1}}, [&](Transport& transport) {
      constexpr std::size_t kFloats = 10000;
      Communicator communicator(transport);
      const auto bytes = communicator.allocate_shared(kFloats * sizeof(float));
      const std::span<float> values(reinterpret_cast<float*>(bytes.data()), kFloats);
      std::ranges::fill(values, static_cast<float>(transport.rank() + 1));
      std::size_t given = 0;
      communicator.all_reduce(
          values,
          [&](Endpoint& nodes, std::span<float> part) {
            EXPECT_EQ(nodes.size(), 2);
            EXPECT_EQ(nodes.world_rank(1 - nodes.rank()), (transport.rank() + 2) % 4);
            EXPECT_EQ(part.front(), transport.rank() < 2 ? 3.0F : 7.0F);
            given += part.size();
            std::ranges::fill(part, 42.0F);
          },
          whole);
      EXPECT_TRUE(std::ranges::all_of(values, [](float value) { return value == 42; }));
      const double all = communicator.sum(static_cast<double>(given));
      EXPECT_EQ(all, 2.0 * kFloats) << "each node has given everything once";
      if (whole && transport.rank() % 2 == 1) {
        EXPECT_EQ(given, 0U);
      }
    });
  }
}

}  // namespace
}  // namespace convoy
