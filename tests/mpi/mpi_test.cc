// Run under mpirun, on one host or several: every rank runs every case.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "convoy/base/error.h"
#include "convoy/comm/all_reduce_check_test.h"
#include "convoy/comm/mpi/mpi_session.h"
#include "convoy/sync/adasum_check_test.h"
#include "convoy/sync/async_shards_check_test.h"
#include "convoy/sync/block_gather.h"
#include "convoy/sync/codec/compression_check_test.h"
#include "convoy/sync/local_steps_check_test.h"
#include "convoy/sync/sharded_update_check_test.h"

namespace convoy {
namespace {

constexpr std::size_t kLong = (std::size_t{1} << 20U) + 3;

std::unique_ptr<MpiSession>& session() {
  static std::unique_ptr<MpiSession> session;
  return session;
}

TEST(Mpi, EveryAlgorithmGivesTheExactSumAtEveryLength) {
  Communicator communicator(session()->transport());
  ASSERT_GT(communicator.size(), 1) << "run this under mpirun";
  for (const std::string& name : algorithm_names()) {
    for (const std::size_t length : interesting_lengths(communicator.size())) {
      std::vector<float> values(length);
      check_exact_sums(communicator, algorithm_named(name), values);
    }
    std::vector<float> values(kLong);
    check_exact_sums(communicator, algorithm_named(name), values);
  }
}

TEST(Mpi, EveryAlgorithmGivesTheSameBitsOnAllRanksAndAgain) {
  Communicator communicator(session()->transport());
  for (const std::string& name : algorithm_names()) {
    std::vector<float> values(211);
    check_bits(communicator, algorithm_named(name), values);
  }
}

TEST(Mpi, RanksOfAMachineShareANode) {
  Communicator communicator(session()->transport());
  const NodeMap& nodes = communicator.nodes();
  std::set<std::string> hosts;
  for (int rank = 0; rank < communicator.size(); ++rank) {
    hosts.insert(nodes.host_of(rank));
    EXPECT_EQ(nodes.host_of(rank), nodes.host_of(nodes.leader_of(nodes.node_of(rank))));
  }
  EXPECT_EQ(nodes.node_count(), static_cast<int>(hosts.size()));
}

TEST(Mpi, SharedMemoryIsAlignedOnAllRanks) {
  Communicator communicator(session()->transport());
  for (const std::size_t bytes : {1U, 64U, 100U, 8192U}) {
    const std::span<std::byte> memory = communicator.allocate_shared(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data()) % 64, 0U);
    EXPECT_EQ(memory.size(), bytes);
  }
}

TEST(Mpi, SharedMemoryIsSummedInPlace) {
  Communicator communicator(session()->transport());
  const std::span<float> arena = as_floats(communicator.allocate_shared(kLong * sizeof(float)));
  for (const std::size_t length : interesting_lengths(communicator.size())) {
    check_exact_sums(communicator, Algorithm::hierarchical, arena.subspan(5, length));
  }
  check_exact_sums(communicator, Algorithm::hierarchical, arena);
  check_bits(communicator, Algorithm::hierarchical, arena.first(997));
}

TEST(Mpi, BroadcastsGathersAndCompares) {
  Communicator communicator(session()->transport());
  const int last = communicator.size() - 1;
  EXPECT_EQ(communicator.broadcast(std::string(communicator.rank(), 'x'), last), std::string(last, 'x'));
  const auto records = communicator.gather(std::to_string(communicator.rank()));
  ASSERT_EQ(static_cast<int>(records.size()), communicator.rank() == 0 ? communicator.size() : 0);
  if (communicator.rank() == 0) {
    EXPECT_EQ(records.back(), std::to_string(last));
  }
  EXPECT_EQ(communicator.max(communicator.rank()), last);
  EXPECT_EQ(communicator.min(communicator.rank()), 0);
}

// The ranks pretend to be on two nodes; with three ranks, the second node has one rank.
TEST(Mpi, NodesAreJoinedByTheirRanks) {
  const int ranks = session()->transport().size();
  MpiSession inner({.ranks_per_node = (ranks + 1) / 2});
  Communicator communicator(inner.transport());
  EXPECT_GE(communicator.nodes().node_count(), 2);
  const std::span<float> arena = as_floats(communicator.allocate_shared(5000 * sizeof(float)));
  for (const std::size_t length : interesting_lengths(ranks)) {
    check_exact_sums(communicator, Algorithm::hierarchical, arena.first(length));
  }
  check_bits(communicator, Algorithm::hierarchical, arena.first(997));
}

// The same checks as in sync's own tests, which run on threads.
TEST(Mpi, CompressionLosesNothingForGood) {
  const int ranks = session()->transport().size();
  for (const int ranks_per_node : {1, (ranks + 1) / 2}) {
    MpiSession inner({.ranks_per_node = ranks_per_node});
    for (const CompressionOptions& options : all_compressions()) {
      Communicator communicator(inner.transport());
      check_compression(communicator, options);
    }
  }
}

TEST(Mpi, GroupsAverageTheirModels) {
  const int ranks = session()->transport().size();
  for (const int ranks_per_node : {1, (ranks + 1) / 2, ranks}) {
    MpiSession inner({.ranks_per_node = ranks_per_node});
    for (const LocalOptions& options : all_local_options()) {
      Communicator communicator(inner.transport());
      check_local_steps(communicator, options);
    }
  }
}

TEST(Mpi, NodesUpdateTheirShards) {
  const int ranks = session()->transport().size();
  for (const int ranks_per_node : {1, (ranks + 1) / 2}) {
    MpiSession inner({.ranks_per_node = ranks_per_node});
    Communicator communicator(inner.transport());
    check_shards(communicator);
  }
}

TEST(Mpi, RanksUpdateWithoutWaiting) {
  const int ranks = session()->transport().size();
  for (const int ranks_per_node : {1, ranks}) {
    MpiSession inner({.ranks_per_node = ranks_per_node});
    for (const int staleness : {1, 3}) {
      Communicator communicator(inner.transport());
      check_async(communicator, staleness);
    }
  }
}

TEST(Mpi, AdasumIsAsDefined) {
  Communicator communicator(session()->transport());
  check_adasum(communicator);
}

TEST(Mpi, BlocksGoToAllRanks) {
  Communicator communicator(session()->transport());
  BlockGather gather(communicator, nullptr);
  const auto ranks = static_cast<std::size_t>(communicator.size());
  std::vector<float> values(100003 * ranks);
  const std::size_t begin = 100003 * static_cast<std::size_t>(communicator.rank());
  for (std::size_t i = 0; i < 100003; ++i) values[begin + i] = whole_number(communicator.rank(), begin + i);
  const std::span<float> matrix = values;
  gather.gather({&matrix, 1}, false, 1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(values[i], whole_number(static_cast<int>(i / 100003), i)) << i;
  }
}

// The last rank is alive but does not answer until the others have given up on it.
TEST(Mpi, ARankThatDoesNotComeIsNamedByAll) {
  const int missing = session()->transport().size() - 1;
  MpiSession inner({.deadline = std::chrono::seconds(2)});
  Transport& transport = inner.transport();
  if (transport.rank() == missing) {
    for (int rank = 0; rank < missing; ++rank) {
      session()->transport().receive(rank, std::span<std::byte>{});
    }
    return;
  }
  try {
    transport.barrier();
    ADD_FAILURE() << "rank " << transport.rank() << " noticed nothing";
  } catch (const SystemError& error) {
    EXPECT_EQ(error.rank(), missing) << error.what();
  }
  session()->transport().send(missing, std::span<const std::byte>{});
}

}  // namespace
}  // namespace convoy

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  convoy::session() = std::make_unique<convoy::MpiSession>();
  const int result = RUN_ALL_TESTS();
  convoy::session().reset();
  return result;
}
