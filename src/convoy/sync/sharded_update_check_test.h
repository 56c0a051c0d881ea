// Checks that sharded updates give, in any world, the same bits as a ring after which every rank updates everything.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "convoy/sync/sharded_update.h"

namespace convoy {

inline constexpr std::size_t kShardedFloats = 4099;

// The settings of a test run.
struct ShardedRun {
  bool shards = true;
  std::vector<ArenaSlice> in_bf16 = {};
  ArenaSlice made = {};  // the slice that is made of something else; empty: none
};

struct ShardedOutcome {
  std::vector<float> parameters;  // after complete_parameters()
  std::vector<BFloat16> copies;   // before that
  std::vector<float> velocity;    // gathered to the first rank
  std::uint64_t wire_bytes = 0;   // sent by this rank in the steps
};

// The rounding of sums of these depends on the order.
inline float uneven_gradient(int rank, std::size_t i, int step) {
  return std::sin(static_cast<float>(1 + rank) * 0.7F + static_cast<float>(i) * 1.3F + static_cast<float>(step));
}

// Collective: takes three steps, of which the second waits for all sums before it updates. Only the rank that updates a
// parameter has its velocity.
class ShardedSteps {
 public:
  ShardedSteps(Communicator& communicator, const ShardedRun& run)
      : communicator_(communicator),
        memory_(communicator, kShardedFloats, kShardedFloats, true),
        reducer_(make_gradient_reducer(
            communicator, memory_,
            {.algorithm = Algorithm::ring, .bucket_bytes = 2048, .shards = run.shards, .in_bf16 = run.in_bf16})) {
    if (run.made.count == 0) return;
    reducer_->make_instead({{.name = "made",
                             .slice = run.made,
                             .exchange = [](bool) {},
                             .make = [this, slice = run.made] { fill(slice, 0, 0); }}});
  }

  ShardedOutcome take() {
    const std::uint64_t before = communicator_.transport().wire_bytes();
    for (int step = 0; step < kSteps; ++step) take_step(step);
    reducer_->settle();
    ShardedOutcome outcome{.copies = {memory_.copies().begin(), memory_.copies().end()},
                           .wire_bytes = communicator_.transport().wire_bytes() - before};
    for (const ArenaSlice& slice : reducer_->own_slices()) {
      for (std::size_t i = slice.offset; i < slice.end(); ++i) EXPECT_EQ(updates_[i], kSteps) << i;
    }
    reducer_->complete_parameters();
    reducer_->gather_to_first(velocity_);
    outcome.parameters.assign(memory_.parameters().begin(), memory_.parameters().end());
    outcome.velocity = velocity_;
    return outcome;
  }

 private:
  static constexpr int kSteps = 3;

  void fill(const ArenaSlice& slice, int rank, int step) {
    for (std::size_t i = slice.offset; i < slice.end(); ++i) memory_.gradients()[i] = uneven_gradient(rank, i, step);
  }

  void update(const ArenaSlice& slice) {
    for (std::size_t i = slice.offset; i < slice.end(); ++i) {
      velocity_[i] = 0.9F * velocity_[i] + memory_.gradients()[i];
      memory_.parameters()[i] -= 0.1F * velocity_[i];
      memory_.copies()[i] = to_bfloat16(memory_.parameters()[i]);
      ++updates_[i];
    }
  }

  void take_step(int step) {
    const bool waits = step == 1;
    reducer_->begin_step(
        waits ? UpdateSlice() : [this](const ArenaSlice& slice) { update(slice); }, step);
    fill({.offset = 0, .count = kShardedFloats}, communicator_.rank(), step);
    reducer_->ready(kShardedFloats);
    if (waits) {
      reducer_->wait_for_sums();
      double counted = 0;
      for (const ArenaSlice& slice : reducer_->counted_slices()) counted += static_cast<double>(slice.count);
      EXPECT_EQ(reducer_->sum_over_owners(counted), static_cast<double>(kShardedFloats));
      for (const ArenaSlice& slice : reducer_->own_slices()) update(slice);
    }
    step + 1 < kSteps ? reducer_->leave() : reducer_->finish();
  }

  Communicator& communicator_;
  ReplicaMemory memory_;
  std::vector<float> velocity_ = std::vector<float>(kShardedFloats);
  std::vector<int> updates_ = std::vector<int>(kShardedFloats);
  std::unique_ptr<GradientReducer> reducer_;
};

inline const std::vector<ArenaSlice> kReadInBf16 = {{.offset = 0, .count = 1000}, {.offset = 1100, .count = 2803}};

// Collective. If nodes have several ranks, they sum in another order than a ring over all ranks; then the expected
// result is also computed with shards.
inline void check_shards(Communicator& communicator) {
  const bool ranks_are_nodes = communicator.nodes().node_count() == communicator.size();
  const ArenaSlice made{.offset = 1024, .count = 1500};
  for (const ArenaSlice& slice : {ArenaSlice{}, made}) {
    const ShardedOutcome expected = ShardedSteps(communicator, {.shards = !ranks_are_nodes, .made = slice}).take();
    for (const std::vector<ArenaSlice>& in_bf16 : {std::vector<ArenaSlice>(), kReadInBf16}) {
      const ShardedOutcome outcome = ShardedSteps(communicator, {.in_bf16 = in_bf16, .made = slice}).take();
      EXPECT_EQ(outcome.parameters, expected.parameters);
      EXPECT_TRUE(outcome.copies == expected.copies);
      if (communicator.rank() == 0) {
        EXPECT_EQ(outcome.velocity, expected.velocity);
      }
    }
  }
}

}  // namespace convoy
