#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/comm/all_reduce_check_test.h"
#include "convoy/comm/solo/solo_transport.h"
#include "convoy/comm/thread/thread_world.h"

namespace convoy {
namespace {

constexpr std::array kMadeOfMessages = {Algorithm::ring, Algorithm::recursive_doubling, Algorithm::rabenseifner,
                                        Algorithm::reduce_broadcast};

using Case = std::tuple<Algorithm, int>;

std::string case_name(const testing::TestParamInfo<Case>& parameters) {
  const auto [algorithm, ranks] = parameters.param;
  std::string name = name_of(algorithm) + "_" + std::to_string(ranks);
  std::ranges::replace(name, '-', '_');
  return name;
}

class AllReduce : public testing::TestWithParam<Case> {};

TEST_P(AllReduce, GivesTheExactSumAtEveryLength) {
  const Algorithm algorithm = std::get<0>(GetParam());
  const int ranks = std::get<1>(GetParam());
  run_as_threads({.ranks = ranks}, [&](Transport& transport) {
    Communicator communicator(transport);
    for (const std::size_t length : interesting_lengths(ranks)) {
      std::vector<float> values(length);
      check_exact_sums(communicator, algorithm, values);
    }
  });
}

TEST_P(AllReduce, GivesTheSameBitsOnEveryRankAndAgain) {
  const Algorithm algorithm = std::get<0>(GetParam());
  const int ranks = std::get<1>(GetParam());
  run_as_threads({.ranks = ranks}, [&](Transport& transport) {
    Communicator communicator(transport);
    std::vector<float> values(211);
    check_bits(communicator, algorithm, values);
  });
}

INSTANTIATE_TEST_SUITE_P(Threads, AllReduce,
                         testing::Combine(testing::Values(Algorithm::ring, Algorithm::recursive_doubling,
                                                          Algorithm::rabenseifner, Algorithm::reduce_broadcast,
                                                          Algorithm::hierarchical, Algorithm::automatic),
                                          testing::Values(1, 2, 3, 4, 5, 7, 8)),
                         case_name);

class LongAllReduce : public testing::TestWithParam<Case> {};

// Lengths that need several chunks, the last ones of unequal lengths.
TEST_P(LongAllReduce, GivesTheExactSum) {
  const Algorithm algorithm = std::get<0>(GetParam());
  const int ranks = std::get<1>(GetParam());
  run_as_threads({.ranks = ranks}, [&](Transport& transport) {
    Communicator communicator(transport);
    std::vector<float> values((std::size_t{1} << 20U) + 3);
    check_exact_sums(communicator, algorithm, values);
  });
}

INSTANTIATE_TEST_SUITE_P(Threads, LongAllReduce,
                         testing::Combine(testing::Values(Algorithm::ring, Algorithm::recursive_doubling,
                                                          Algorithm::rabenseifner, Algorithm::reduce_broadcast,
                                                          Algorithm::hierarchical),
                                          testing::Values(2, 3)),
                         case_name);

// Lengths whose slices differ by one around a multiple of a chunk's length.
TEST(AllReducePieces, AreCutAlikeOnBothSides) {
  for (const Algorithm algorithm : {Algorithm::ring, Algorithm::rabenseifner}) {
    run_as_threads({.ranks = 2}, [&](Transport& transport) {
      Communicator communicator(transport);
      std::vector<float> values((std::size_t{1} << 19U) + 1);
      check_exact_sums(communicator, algorithm, values);
    });
  }
}

class Hierarchy : public testing::TestWithParam<std::vector<int>> {};

TEST_P(Hierarchy, SumsInPlaceInSharedMemory) {
  const auto ranks = static_cast<int>(GetParam().size());
  run_as_threads({.ranks = ranks, .node_of_rank = GetParam()}, [&](Transport& transport) {
    Communicator communicator(transport);
    const std::span<float> arena = as_floats(communicator.allocate_shared(5000 * sizeof(float)));
    for (const std::size_t length : interesting_lengths(ranks)) {
      check_exact_sums(communicator, Algorithm::hierarchical, arena.subspan(301, length));
    }
    check_bits(communicator, Algorithm::hierarchical, arena.first(997));
  });
}

TEST_P(Hierarchy, UsesAnyAlgorithmBetweenNodes) {
  const auto ranks = static_cast<int>(GetParam().size());
  for (const Algorithm between : kMadeOfMessages) {
    run_as_threads({.ranks = ranks, .node_of_rank = GetParam()}, [&](Transport& transport) {
      Communicator communicator(transport, {.between_nodes = between});
      std::vector<float> values(1013);
      check_exact_sums(communicator, Algorithm::hierarchical, values);
    });
  }
}

// One node; several equal nodes; uneven ones; interleaved ranks; one rank per node.
INSTANTIATE_TEST_SUITE_P(Threads, Hierarchy,
                         testing::Values(std::vector{0, 0, 0}, std::vector{0, 0, 1, 1}, std::vector{0, 1, 1, 1, 2},
                                         std::vector{5, 3, 5, 3, 4, 5, 3}, std::vector{0, 1, 2},
                                         std::vector{0, 0, 0, 0, 1, 1, 1, 1}));

TEST(HierarchyArena, LeavesTheRestOfTheArenaAlone) {
  run_as_threads({.ranks = 3, .node_of_rank = {0, 0, 1}}, [&](Transport& transport) {
    Communicator communicator(transport);
    const std::span<float> arena = as_floats(communicator.allocate_shared(100 * sizeof(float)));
    std::ranges::fill(arena, static_cast<float>(transport.rank()));
    communicator.all_reduce(arena.subspan(10, 50), Algorithm::hierarchical);
    for (std::size_t i = 0; i < arena.size(); ++i) {
      EXPECT_EQ(arena[i], i < 10 || i >= 60 ? static_cast<float>(transport.rank()) : 3.0F) << i;
    }
  });
}

TEST(HierarchyArena, RefusesDifferentPlacesOnDifferentRanks) {
  run_as_threads({.ranks = 2}, [&](Transport& transport) {
    Communicator communicator(transport);
    const std::span<float> arena = as_floats(communicator.allocate_shared(100 * sizeof(float)));
    const auto place = static_cast<std::size_t>(transport.rank());
    EXPECT_THROW(communicator.all_reduce(arena.subspan(place, 10), Algorithm::hierarchical), InternalError);
  });
}

TEST(AllReduceRefusals, TheLibrarysOwnNeedsALibrary) {
  run_as_threads({.ranks = 2}, [&](Transport& transport) {
    Communicator communicator(transport);
    std::vector<float> values(3);
    EXPECT_TRUE(throws_with<UserError>([&] { communicator.all_reduce(values, Algorithm::mpi); }, "threads"));
  });
}

TEST(AllReduceRefusals, BetweenNodesOnlyMessages) {
  SoloTransport solo;
  EXPECT_TRUE(throws_with<UserError>(
      [&] { Communicator communicator(solo, {.between_nodes = Algorithm::hierarchical}); }, "\"hierarchical\""));
}

TEST(AllReduceAuto, GoesByTheTable) {
  run_as_threads({.ranks = 2}, [](Transport& transport) {
    const auto only = [](Algorithm algorithm) {
      return std::vector<AllReduceRow>{{.bytes = 1024, .times = {{.algorithm = algorithm, .seconds = 1}}}};
    };
    Communicator communicator(transport, {.table = AllReduceTable{.topology = topology_of(transport.nodes()),
                                                                  .shared = only(Algorithm::ring),
                                                                  .elsewhere = only(Algorithm::reduce_broadcast)}});
    const std::span<float> shared = as_floats(communicator.allocate_shared(400));
    std::vector<float> elsewhere(100);
    EXPECT_EQ(communicator.chosen_for(shared), Algorithm::ring);
    EXPECT_EQ(communicator.chosen_for(elsewhere), Algorithm::reduce_broadcast);
    check_exact_sums(communicator, Algorithm::automatic, shared);
    check_exact_sums(communicator, Algorithm::automatic, elsewhere);
  });
}

TEST(AllReduceAuto, WithoutATableGoesByRules) {
  run_as_threads({.ranks = 3, .node_of_rank = {0, 1, 2}}, [](Transport& transport) {
    Communicator communicator(transport);
    std::vector<float> values(100000);
    EXPECT_EQ(communicator.chosen_for(values), Algorithm::ring);
    EXPECT_EQ(communicator.chosen_for(std::span(values).first(10)), Algorithm::recursive_doubling);
  });
  run_as_threads({.ranks = 3, .node_of_rank = {0, 1, 1}}, [](Transport& transport) {
    Communicator communicator(transport);
    const std::span<float> shared = as_floats(communicator.allocate_shared(400));
    EXPECT_EQ(communicator.chosen_for(shared), Algorithm::hierarchical);
  });
}

TEST(AllReduceAlone, ChangesNothing) {
  SoloTransport solo;
  Communicator communicator(solo);
  const std::span<float> arena = as_floats(communicator.allocate_shared(8));
  for (const std::string& name : algorithm_names()) {
    arena[0] = 1.5F;
    communicator.all_reduce(arena, algorithm_named(name));
    EXPECT_EQ(arena[0], 1.5F) << name;
  }
}

}  // namespace
}  // namespace convoy
