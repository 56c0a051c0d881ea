#include "convoy/sync/gradient_reducer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <future>
#include <string>
#include <vector>

#include "convoy/comm/thread/thread_world.h"

namespace convoy {
namespace {

constexpr std::size_t kFloats = 5003;

struct World {
  int ranks;
  Algorithm algorithm;
  std::vector<int> node_of_rank = {};
  bool shards = false;
};

// Gradients whose sums are exact: rank r has r + 1 + i % 7 + step at place i.
float gradient(int rank, std::size_t i, int step) {
  return static_cast<float>(rank + 1 + step) + static_cast<float>(i % 7);
}

float sum_over_ranks(int ranks, std::size_t i, int step) {
  float sum = 0;
  for (int rank = 0; rank < ranks; ++rank) sum += gradient(rank, i, step);
  return sum;
}

// Two steps whose gradients are ready piece by piece; `between` runs when they are summed. Updates come at once, or for
// all own slices in the end.
void take_two_steps(
    GradientReducer& reducer, ReplicaMemory& memory, int rank, const UpdateSlice& update, bool update_at_once,
    const std::function<void()>& between = [] {}) {
  for (int step = 0; step < 2; ++step) {
    reducer.begin_step(update_at_once ? update : UpdateSlice());
    for (std::size_t i = 0; i < kFloats; ++i) {
      memory.gradients()[i] = gradient(rank, i, 0);
      if (i % 100 == 99) reducer.ready(i + 1);
    }
    reducer.ready(kFloats);
    reducer.wait_for_sums();
    between();
    for (const ArenaSlice& slice : reducer.own_slices()) {
      if (!update_at_once) update(slice);
    }
    reducer.finish();
  }
}

// Parameters become minus the sum of all gradients so far, on all ranks, no matter which rank updates them.
void check(const World& world, bool update_at_once) {
  run_as_threads({.ranks = world.ranks, .node_of_rank = world.node_of_rank}, [&](Transport& transport) {
    Communicator communicator(transport);
    ReplicaMemory memory(communicator, kFloats, kFloats, true);
    const ReducerOptions options{.algorithm = world.algorithm, .bucket_bytes = 1024, .shards = world.shards};
    const auto reducer = make_gradient_reducer(communicator, memory, options);
    const UpdateSlice update = [&](const ArenaSlice& slice) {
      for (std::size_t i = slice.offset; i < slice.end(); ++i) {
        memory.parameters()[i] -= memory.gradients()[i];
        memory.copies()[i] = to_bfloat16(memory.parameters()[i]);
      }
    };
    std::vector<float> expected(kFloats, 0.0F);
    for (int step = 0; step < 3; ++step) {
      reducer->begin_step(update_at_once ? update : UpdateSlice());
      for (std::size_t i = 0; i < kFloats; ++i) {
        memory.gradients()[i] = gradient(transport.rank(), i, step);
        expected[i] -= sum_over_ranks(world.ranks, i, step);
        if (i % 100 == 99) reducer->ready(i + 1);
      }
      reducer->ready(kFloats);
      if (!update_at_once) {
        reducer->wait_for_sums();
        double own = 0;
        for (const ArenaSlice& slice : reducer->own_slices()) own += static_cast<double>(slice.count);
        EXPECT_DOUBLE_EQ(reducer->sum_over_owners(own), static_cast<double>(kFloats));
        for (const ArenaSlice& slice : reducer->own_slices()) update(slice);
      }
      reducer->finish();
      EXPECT_TRUE(std::ranges::equal(memory.parameters(), expected)) << "rank " << transport.rank();
      EXPECT_TRUE(std::ranges::equal(memory.copies(), expected, {}, {}, to_bfloat16)) << "rank " << transport.rank();
    }
  });
}

TEST(GradientReducer, SumsAndUpdatesOnEveryRank) {
  for (const int ranks : {1, 2, 3, 4}) {
    for (const Algorithm algorithm : {Algorithm::hierarchical, Algorithm::ring, Algorithm::automatic}) {
      check({.ranks = ranks, .algorithm = algorithm}, true);
      check({.ranks = ranks, .algorithm = algorithm}, false);
    }
  }
}

TEST(GradientReducer, OverSeveralNodes) {
  check({.ranks = 4, .algorithm = Algorithm::hierarchical, .node_of_rank = {0, 0, 1, 1}}, true);
  check({.ranks = 5, .algorithm = Algorithm::automatic, .node_of_rank = {0, 1, 1, 0, 2}}, false);
}

TEST(GradientReducer, NodesUpdateTheirShards) {
  for (const std::vector<int>& nodes : {std::vector<int>{0, 1}, {0, 1, 2}, {0, 0, 1, 1}, {0, 1, 1, 0, 2}}) {
    for (const bool at_once : {true, false}) {
      check({.ranks = static_cast<int>(nodes.size()), .algorithm = {}, .node_of_rank = nodes, .shards = true}, at_once);
    }
  }
}

// Rank 1 sends nothing until rank 0 has left its step, so rank 0 gets everything it needs from rank 1 later.
TEST(GradientReducer, LeavesWhatIsOnItsWay) {
  for (const std::vector<int>& nodes : {std::vector<int>{0, 1}, {0, 1, 1, 2}}) {
    std::promise<void> has_left;
    std::shared_future<void> left = has_left.get_future().share();
    run_as_threads({.ranks = static_cast<int>(nodes.size()), .node_of_rank = nodes}, [&](Transport& transport) {
      Communicator communicator(transport);
      ReplicaMemory memory(communicator, kFloats, kFloats);
      const auto reducer = make_gradient_reducer(communicator, memory, {Algorithm::ring, 1024});
      const UpdateSlice update = [&](const ArenaSlice& slice) {
        for (std::size_t i = slice.offset; i < slice.end(); ++i) memory.parameters()[i] -= memory.gradients()[i];
      };
      reducer->begin_step(update);
      for (std::size_t i = 0; i < kFloats; ++i) memory.gradients()[i] = gradient(transport.rank(), i, 0);
      if (transport.rank() == 1) left.wait();
      reducer->ready(kFloats);
      reducer->leave();
      if (transport.rank() == 0) has_left.set_value();
      // Forward reads the end of the arena first.
      for (std::size_t end = kFloats; end > 0; end -= std::min<std::size_t>(end, 700)) {
        const ArenaSlice slice{.offset = end - std::min<std::size_t>(end, 700),
                               .count = std::min<std::size_t>(end, 700)};
        reducer->need(slice);
        for (std::size_t i = slice.offset; i < slice.end(); ++i) {
          ASSERT_EQ(memory.parameters()[i], -sum_over_ranks(transport.size(), i, 0)) << i;
        }
      }
      reducer->settle();
    });
  }
}

// All buckets are posted when the first of them is sent, except the one that is already under way.
TEST(GradientReducer, WhatIsNeededFirstOvertakes) {
  Timeline timeline;
  std::promise<void> all_posted;
  std::shared_future<void> posted = all_posted.get_future().share();
  run_as_threads({.ranks = 2, .node_of_rank = {0, 1}}, [&](Transport& transport) {
    Communicator communicator(transport);
    ReplicaMemory memory(communicator, kFloats, kFloats);
    Timeline* const own = transport.rank() == 0 ? &timeline : nullptr;
    if (own != nullptr) own->start();
    const auto reducer = make_gradient_reducer(communicator, memory, {Algorithm::ring, 2048, own});
    reducer->begin_step([](const ArenaSlice&) {});
    if (transport.rank() == 1) posted.wait();
    reducer->ready(kFloats);
    if (transport.rank() == 0) all_posted.set_value();
    reducer->finish();
  });
  std::vector<std::string> names;
  for (const TimelineEvent& event : timeline.events()) names.push_back(event.name);
  ASSERT_GT(names.size(), 4U);
  const auto last = std::ranges::find(names, "bucket " + std::to_string(names.size() - 1));
  EXPECT_LE(last - names.begin(), 1);
  EXPECT_TRUE(std::is_sorted(last, names.end(), std::greater<>()));
}

TEST(GradientReducer, PublishesLargeArenas) {
  constexpr std::size_t kLarge = (std::size_t{1} << 23) + 3;
  run_as_threads({.ranks = 2}, [](Transport& transport) {
    Communicator communicator(transport);
    ReplicaMemory memory(communicator, kLarge, kLarge);
    const auto reducer = make_gradient_reducer(communicator, memory, {Algorithm::automatic, 1 << 20});
    reducer->begin_step([&](const ArenaSlice& slice) {
      for (std::size_t i = slice.offset; i < slice.end(); ++i) memory.parameters()[i] = memory.gradients()[i];
    });
    for (std::size_t i = 0; i < kLarge; ++i) memory.gradients()[i] = gradient(transport.rank(), i, 0);
    reducer->ready(kLarge);
    reducer->finish();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < kLarge; ++i) wrong += memory.parameters()[i] == sum_over_ranks(2, i, 0) ? 0 : 1;
    EXPECT_EQ(wrong, 0U) << "rank " << transport.rank();
  });
}

// Each rank keeps only its own slices, for example of a velocity.
TEST(GradientReducer, TheFirstRankCanHaveWhatTheOthersKept) {
  run_as_threads({.ranks = 3}, [](Transport& transport) {
    Communicator communicator(transport);
    ReplicaMemory memory(communicator, kFloats, kFloats);
    const auto reducer = make_gradient_reducer(communicator, memory, {Algorithm::hierarchical, 1024});
    std::vector<float> kept(kFloats, 0.0F);
    for (const ArenaSlice& slice : reducer->own_slices()) {
      for (std::size_t i = slice.offset; i < slice.end(); ++i) kept[i] = static_cast<float>(i);
    }
    reducer->gather_to_first(kept);
    if (transport.rank() != 0) return;
    for (std::size_t i = 0; i < kFloats; ++i) ASSERT_EQ(kept[i], static_cast<float>(i));
  });
}

// How many gradients, counted from the front, are sums over two ranks already.
std::size_t summed(const ReplicaMemory& memory) {
  std::size_t count = 0;
  while (count < kFloats && memory.gradients()[count] == sum_over_ranks(2, count, 0)) ++count;
  return count;
}

// If an exchange had another place among the buckets on another rank, its messages would be mistaken for theirs.
TEST(GradientReducer, AnExchangeInBetweenHasOnePlaceOnAllRanks) {
  run_as_threads({.ranks = 2}, [](Transport& transport) {
    Communicator communicator(transport);
    ReplicaMemory memory(communicator, kFloats, kFloats);
    const auto reducer = make_gradient_reducer(communicator, memory, {Algorithm::ring, 1024});
    reducer->begin_step([](const ArenaSlice&) {});
    for (std::size_t i = 0; i < kFloats; ++i) memory.gradients()[i] = gradient(transport.rank(), i, 0);
    reducer->ready(kFloats / 2);
    double value = transport.rank() + 1;
    std::size_t before = 0;
    reducer->run_in_turn([&] {
      before = summed(memory);
      value = communicator.sum(value);
    });
    EXPECT_DOUBLE_EQ(value, 3);
    EXPECT_LE(before, kFloats / 2) << "after it: what was not ready";
    reducer->ready(kFloats);
    reducer->finish();
    EXPECT_EQ(summed(memory), kFloats);
  });
}

// Slices that are made take their turn among the buckets, whether they are updated at once or not.
TEST(GradientReducer, MakesSlicesOfWhatIsExchanged) {
  for (const bool update_at_once : {true, false}) {
    run_as_threads({.ranks = 3, .node_of_rank = {0, 1, 2}}, [&](Transport& transport) {
      Communicator communicator(transport);
      ReplicaMemory memory(communicator, kFloats, kFloats);
      const auto reducer = make_gradient_reducer(communicator, memory, {Algorithm::ring, 1024});
      std::vector<double> exchanged(2);
      const auto made = [&](std::size_t index, std::size_t offset, std::size_t count) {
        return MadeSlice{.name = "made",
                         .slice = {.offset = offset, .count = count},
                         .exchange =
                             [&, index](bool may_lose) {
                               EXPECT_TRUE(may_lose);
                               exchanged[index] = communicator.sum(transport.rank() + 1);
                             },
                         .make =
                             [&, index, offset, count] {
                               std::ranges::fill(memory.gradients().subspan(offset, count),
                                                 static_cast<float>(exchanged[index]));
                             }};
      };
      reducer->make_instead({made(0, 0, 1000), made(1, 3000, 5)});
      const UpdateSlice update = [&](const ArenaSlice& slice) {
        for (std::size_t i = slice.offset; i < slice.end(); ++i) memory.parameters()[i] += memory.gradients()[i];
      };
      take_two_steps(*reducer, memory, transport.rank(), update, update_at_once);
      for (std::size_t i = 0; i < kFloats; ++i) {
        const bool is_made = i < 1000 || (i >= 3000 && i < 3005);
        ASSERT_EQ(memory.parameters()[i], is_made ? 12.0F : 2 * sum_over_ranks(3, i, 0)) << i;
      }
    });
  }
}

// Each rank updates its own parts by its own gradients, and only between steps does everyone get all.
TEST(GradientReducer, DividedSlicesAreUpdatedWhereTheirPartsAre) {
  for (const bool update_at_once : {true, false}) {
    run_as_threads({.ranks = 3, .node_of_rank = {0, 1, 2}}, [&](Transport& transport) {
      Communicator communicator(transport);
      ReplicaMemory memory(communicator, kFloats, kFloats);
      const auto reducer =
          make_gradient_reducer(communicator, memory, {.algorithm = Algorithm::ring, .bucket_bytes = 1024});
      const auto owner_of = [](std::size_t i) { return i >= 1000 && i < 1900 ? static_cast<int>(i - 1000) / 300 : -1; };
      reducer->divide({{.name = "divided",
                        .slice = {.offset = 1000, .count = 1000},  // a tenth of it is padding
                        .parts = {{{1000, 300}}, {{1300, 300}}, {{1600, 200}, {1800, 100}}}}});
      const UpdateSlice update = [&](const ArenaSlice& slice) {
        for (std::size_t i = slice.offset; i < slice.end(); ++i) memory.parameters()[i] += memory.gradients()[i];
      };
      take_two_steps(*reducer, memory, transport.rank(), update, update_at_once, [&] {
        double counted = 0;
        for (const ArenaSlice& slice : reducer->counted_slices()) counted += static_cast<double>(slice.count);
        EXPECT_EQ(reducer->sum_over_owners(counted), kFloats - 100.0) << "everything once, but no padding";
      });
      for (std::size_t i = 0; i < kFloats; ++i) {
        const bool is_padding = i >= 1900 && i < 2000;
        const bool is_elsewhere = owner_of(i) >= 0 && owner_of(i) != transport.rank();
        const float summed = 2 * sum_over_ranks(3, i, 0);
        const float own = 2 * gradient(transport.rank(), i, 0);
        const float expected = is_padding || is_elsewhere ? 0 : (owner_of(i) < 0 ? summed : own);
        ASSERT_EQ(memory.parameters()[i], expected) << i;
      }
      reducer->complete_parameters();
      for (std::size_t i = 1000; i < 1900; ++i) ASSERT_EQ(memory.parameters()[i], 2 * gradient(owner_of(i), i, 0)) << i;
    });
  }
}

// What is waited for between two steps belongs to the second one's communication, and to nobody's computing.
TEST(GradientReducer, WaitsBetweenStepsCountInTheNextOne) {
  run_as_threads({.ranks = 2, .node_of_rank = {0, 1}}, [](Transport& transport) {
    Communicator communicator(transport);
    ReplicaMemory memory(communicator, kFloats, kFloats);
    const auto reducer =
        make_gradient_reducer(communicator, memory, {.algorithm = Algorithm::ring, .bucket_bytes = 1024});
    EXPECT_EQ(reducer->waited_since(), 0);
    bool has_met = false;
    bool has_worked = false;
    reducer->exchange_now(
        [&] {
          communicator.barrier();
          has_met = true;
        },
        [&] { has_worked = true; });
    EXPECT_TRUE(has_met && has_worked);
    const double waited = reducer->waited_since();
    EXPECT_GT(waited, 0);
    reducer->begin_step([](const ArenaSlice&) {});
    EXPECT_EQ(reducer->times().exposed, 0) << "of the step so far";
    reducer->ready(kFloats);
    reducer->finish();
    EXPECT_GE(reducer->times().exposed, waited);
    EXPECT_GT(reducer->times().active, 0);
    EXPECT_EQ(reducer->waited_since(), 0);
  });
}

// Updates in small pieces would keep all threads but one waiting.
TEST(GradientReducer, ARankAloneUpdatesAllThatIsCompleteAtOnce) {
  run_as_threads({.ranks = 1}, [](Transport& transport) {
    constexpr std::size_t kMany = std::size_t{1} << 18;
    constexpr std::size_t kSecond = 5 * kMany / 8;
    Communicator communicator(transport);
    ReplicaMemory memory(communicator, kMany, kMany);
    const auto reducer = make_gradient_reducer(communicator, memory, {});
    std::vector<ArenaSlice> updated;
    reducer->begin_step([&](const ArenaSlice& slice) { updated.push_back(slice); });
    reducer->ready(kSecond);
    reducer->ready(kSecond + 1);
    reducer->ready(kMany);
    reducer->finish();
    ASSERT_EQ(updated.size(), 2U);
    EXPECT_EQ(updated[0].offset, 0U);
    EXPECT_EQ(updated[0].end(), kSecond);
    EXPECT_EQ(updated[1].offset, kSecond);
    EXPECT_EQ(updated[1].end(), kMany);
  });
}

TEST(GradientReducer, ChoosesTheSizeOfBucketsItself) {
  run_as_threads({.ranks = 2}, [](Transport& transport) {
    Communicator communicator(transport);
    ReplicaMemory memory(communicator, kFloats, kFloats);
    EXPECT_EQ(make_gradient_reducer(communicator, memory, {.algorithm = Algorithm::ring})->description(),
              "ring, 1 bucket of 19 KiB");
    EXPECT_EQ(make_gradient_reducer(communicator, memory, {})->description(), "in shared memory, 1 bucket of 19 KiB");
  });
}

TEST(UsualBucket, IsTheSmallestThatIsNearlyFastest) {
  const auto row = [](std::size_t bytes, double ring, double mpi) {
    return AllReduceRow{.bytes = bytes, .times = {{Algorithm::ring, ring}, {Algorithm::mpi, mpi}}};
  };
  // The ring moves 1, 3 and 4 MB/s; MPI's own all-reduce 2, 2 and 2.
  const AllReduceTable table{.topology = "",
                             .shared = {row(1000, 1e-3, 0.5e-3), row(9000, 3e-3, 4.5e-3), row(80000, 2e-2, 4e-2)},
                             .elsewhere = {}};
  EXPECT_EQ(usual_bucket(table, Algorithm::ring), 80000U);
  EXPECT_EQ(usual_bucket(table, Algorithm::mpi), 1000U);
  EXPECT_EQ(usual_bucket(std::nullopt, Algorithm::ring), std::size_t{4} << 20);
}

TEST(UsualBucket, OfMessagesIsShorterOnSlowLinks) {
  const auto table_of = [](double bytes_per_second) {
    // With two nodes, each sends as many bytes as the values have.
    return AllReduceTable{.topology = "",
                          .shared = {{.bytes = 10'000, .times = {{Algorithm::ring, 10'000 / bytes_per_second}}}},
                          .elsewhere = {}};
  };
  EXPECT_EQ(usual_message_bucket(table_of(12.51e6), Algorithm::ring, 2), 250'200U) << "20 ms at about 100 Mbit/s";
  EXPECT_EQ(usual_message_bucket(table_of(1e5), Algorithm::ring, 2), std::size_t{64} << 10);
  EXPECT_EQ(usual_message_bucket(table_of(125e6), Algorithm::ring, 2), std::size_t{1} << 20);
  EXPECT_EQ(usual_message_bucket(table_of(1e5), Algorithm::ring, 1), std::size_t{1} << 20) << "no link";
}

}  // namespace
}  // namespace convoy
