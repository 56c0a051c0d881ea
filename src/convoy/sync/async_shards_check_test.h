// What asynchronous updates must give in any world.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "convoy/sync/async_shards.h"

namespace convoy {

inline constexpr std::size_t kAsyncTrained = 83;  // odd, and not a multiple of any number of ranks
inline constexpr std::size_t kAsyncAll = 96;

// A rank's push adds its digit to some of the parameters, so that such a parameter tells how many pushes of the rank it
// contains. A float is exact for five digits: neighbouring parameters count the pushes of five ranks each.
inline constexpr int kAsyncBase = 16;
inline constexpr int kAsyncDigits = 5;
inline constexpr int kAsyncMostRanks = 4 * kAsyncDigits;

inline bool counts_pushes(std::size_t parameter, int of_rank) {
  return static_cast<int>(parameter % (kAsyncMostRanks / kAsyncDigits)) == of_rank / kAsyncDigits;
}

inline float async_digit(int rank) {
  return std::pow(static_cast<float>(kAsyncBase), static_cast<float>(rank % kAsyncDigits));
}

inline int pushes_in(float parameter, int rank) { return static_cast<int>(parameter / async_digit(rank)) % kAsyncBase; }

// One rank of asynchronous steps by these rules.
class AsyncCounting {
 public:
  AsyncCounting(Communicator& communicator, std::int64_t staleness)
      : communicator_(communicator),
        memory_(communicator, kAsyncAll, kAsyncTrained),
        shards_(communicator, memory_, staleness) {
    std::ranges::fill(memory_.parameters().last(kAsyncAll - kAsyncTrained), -1.0F);
  }

  void open(std::int64_t steps) {
    taken_ = 0;
    std::ranges::fill(memory_.parameters().first(kAsyncTrained), 0.0F);
    shards_.open(steps, [](const ArenaSlice& /*shard*/, std::span<float> parameters, std::span<const float> gradients,
                           double rate) {
      for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i] += static_cast<float>(rate) * gradients[i];
    });
  }

  // Takes a step and checks that its parameters are as new as they must be.
  void take(std::int64_t rows = 1) {
    (void)shards_.refresh();
    for (std::size_t i = 0; i < kAsyncTrained; ++i) {
      for (int rank = 0; rank < communicator_.size(); ++rank) {
        if (!counts_pushes(i, rank)) continue;
        ASSERT_GE(pushes_in(memory_.parameters()[i], rank), taken_ - shards_.staleness()) << "rank " << rank;
      }
    }
    const int own = communicator_.rank();
    for (std::size_t i = 0; i < kAsyncTrained; ++i) {
      memory_.gradients()[i] = counts_pushes(i, own) ? 2 * async_digit(own) : 0;
    }
    shards_.push(0.5, rows);
    std::ranges::fill(memory_.gradients(), NAN);  // the gradients are the caller's again
    ++taken_;
  }

  // `counted`: the pushes of each rank that updated anything.
  void close(const std::vector<int>& counted) {
    shards_.close();
    for (std::size_t i = 0; i < kAsyncTrained; ++i) {
      for (int rank = 0; rank < communicator_.size(); ++rank) {
        if (!counts_pushes(i, rank)) continue;
        ASSERT_EQ(pushes_in(memory_.parameters()[i], rank), counted[static_cast<std::size_t>(rank)]);
      }
    }
    for (const float untrained : memory_.parameters().last(kAsyncAll - kAsyncTrained)) ASSERT_EQ(untrained, -1.0F);
  }

  [[nodiscard]] AsyncShards& shards() { return shards_; }

 private:
  Communicator& communicator_;
  ReplicaMemory memory_;
  AsyncShards shards_;
  std::int64_t taken_ = 0;
};

// Collective, for up to kAsyncMostRanks: nothing is lost, counted twice or too old. The first rank's last push has no
// rows.
inline void check_async(Communicator& communicator, std::int64_t staleness) {
  AsyncCounting counting(communicator, staleness);
  for (const int steps : {1, 2, 12}) {
    counting.open(steps);
    int empty = 0;
    for (int step = 0; step < steps; ++step) {
      // A push without rows would hide a step from the check of its age, so only the last one of twelve is empty.
      const bool is_empty = step == 11;
      counting.take(is_empty && communicator.rank() == 0 ? 0 : 1);
      empty += is_empty ? 1 : 0;
    }
    std::vector<int> counted(static_cast<std::size_t>(communicator.size()), steps);
    counted[0] -= empty;
    counting.close(counted);
    counting.shards().abandon();  // means nothing while closed
  }
  std::vector<float> values(kAsyncTrained, static_cast<float>(communicator.rank()));
  counting.shards().gather_to_first(values);
  if (communicator.rank() != 0) return;
  EXPECT_EQ(values.front(), 0.0F);
  EXPECT_EQ(values.back(), static_cast<float>(communicator.size() - 1));
  EXPECT_TRUE(std::ranges::is_sorted(values));
}

}  // namespace convoy
