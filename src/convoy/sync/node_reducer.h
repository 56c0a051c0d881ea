// Gradient reduction among the ranks of one node, in shared memory, by the threads that compute.
//
// There are no messages, and thus no waiting that a second thread could hide. A rank notes which buckets are ready and
// goes on. A bucket that all ranks have noted is summed and updated at the next opportunity: each rank takes its share
// and writes the new parameters into the memory of all. Nothing is summed or updated twice.
#pragma once

#include "convoy/base/check.h"
#include "convoy/comm/node_counters.h"
#include "convoy/sync/gradient_reducer.h"

namespace convoy {

class NodeReducer final : public GradientReducer {
 public:
  // All ranks must share a node. A single rank takes the same path, with nothing to sum.
  NodeReducer(Communicator& communicator, ReplicaMemory& memory, const ReducerOptions& options);

  void make_instead(std::vector<MadeSlice> slices) override { CONVOY_CHECK(slices.empty()); }
  void divide(std::vector<DividedSlice> slices) override { CONVOY_CHECK(slices.empty()); }
  void begin_step(UpdateSlice update, std::int64_t step) override;
  void ready(std::size_t end) override;
  void run_in_turn(const std::function<void()>& exchange) override { exchange(); }
  void exchange_now(const std::function<void()>& exchange, const std::function<void()>& meanwhile) override {
    exchange();
    if (meanwhile) meanwhile();
  }
  void wait_for_sums() override;
  [[nodiscard]] std::span<const ArenaSlice> own_slices() const override { return own_slices_; }
  using GradientReducer::sum_over_owners;
  void sum_over_owners(std::span<double> own) override { communicator_.sum(own); }
  void finish() override;
  void gather_to_first(std::span<float> values) override;
  [[nodiscard]] std::string description() const override;

 private:
  [[nodiscard]] bool is_alone() const { return communicator_.size() == 1; }
  void update_noted();
  void take(std::size_t bucket);
  void sum(const ArenaSlice& slice) const;
  void publish(const ArenaSlice& slice) const;
  void publish_copies(const ArenaSlice& slice, std::span<BFloat16> other) const;
  void update(const ArenaSlice& slice);
  [[nodiscard]] std::uint64_t ready_count(std::size_t bucket) const { return steps_ * buckets_.size() + bucket + 1; }

  Communicator& communicator_;
  ReplicaMemory& memory_;
  std::vector<ArenaSlice> buckets_;
  std::vector<ArenaSlice> shares_;      // this rank's share of each bucket
  std::vector<ArenaSlice> own_slices_;  // the same; for a single rank the whole arena
  NodeCounters ready_;                  // counts buckets over all steps
  NodeCounters done_;                   // counts meetings at the end of steps

  UpdateSlice update_;
  std::uint64_t steps_ = 0;  // finished steps
  std::uint64_t meetings_ = 0;
  std::size_t noted_ = 0;  // buckets of this step that are ready here
  std::size_t taken_ = 0;  // buckets of this step that were summed here
  double update_seconds_ = 0;
};

}  // namespace convoy
