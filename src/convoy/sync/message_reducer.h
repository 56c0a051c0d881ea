// Gradient reduction between nodes: a separate thread all-reduces bucket after bucket while backward goes on. Each rank
// updates all buckets as they arrive, or only its shards of them (sharded_update.h). The gradients of the first layers
// are complete last but needed first, so they overtake others that wait to be sent. What is still missing at the end of
// a step may arrive while the next step's forward works on other layers. The order of messages changes no bit of any
// sum. With compression, a bucket is summed exactly inside nodes and by the compression between them. Slices that are
// made of something else take their turn among the buckets.
#pragma once

#include <atomic>

#include "convoy/sync/communication_thread.h"
#include "convoy/sync/gradient_reducer.h"
#include "convoy/sync/sharded_update.h"

namespace convoy {

class MessageReducer final : public GradientReducer {
 public:
  // Between begin_step() and the return of finish() or wait_for_sums() only this reducer may use the communicator.
  MessageReducer(Communicator& communicator, ReplicaMemory& memory, const ReducerOptions& options);

  void make_instead(std::vector<MadeSlice> slices) override;
  void divide(std::vector<DividedSlice> slices) override;
  void begin_step(UpdateSlice update, std::int64_t step) override;
  void ready(std::size_t end) override;
  void run_in_turn(const std::function<void()>& exchange) override;
  void exchange_now(const std::function<void()>& exchange, const std::function<void()>& meanwhile) override;
  void wait_for_sums() override;
  [[nodiscard]] std::span<const ArenaSlice> own_slices() const override { return own_slices_; }
  [[nodiscard]] std::span<const ArenaSlice> counted_slices() const override { return counted_slices_; }
  [[nodiscard]] std::span<const ArenaSlice> uncounted_slices() const override { return uncounted_slices_; }
  using GradientReducer::sum_over_owners;
  void sum_over_owners(std::span<double> own) override;
  void finish() override;
  void leave() override;
  void need(const ArenaSlice& slice) override;
  void settle() override;
  void gather_to_first(std::span<float> values) override;
  void complete_parameters() override;
  [[nodiscard]] Compression* compression() override { return compression_.get(); }
  [[nodiscard]] std::string description() const override;
  [[nodiscard]] double waited_since() const override { return exposed_seconds_; }

 private:
  // What is exchanged at a time: a bucket, or a slice that is made; or a divided slice, which is not exchanged.
  struct Unit {
    ArenaSlice slice;
    const MadeSlice* made = nullptr;
    const DividedSlice* divided = nullptr;
    std::uint64_t ticket = 0;  // number of the communication thread's task in this step
    bool is_taken = true;      // made and, if there is an update, updated

    // Whether its gradients are summed.
    [[nodiscard]] bool is_bucket() const { return made == nullptr && divided == nullptr; }
  };

  void plan_units();
  void share_out();
  void add_buckets(std::size_t begin, std::size_t end);
  void post(std::size_t unit);
  void take_own_parts(const Unit& unit);
  [[nodiscard]] std::span<const ArenaSlice> own_parts(const Unit& unit) const;
  // Whether ranks update different slices.
  [[nodiscard]] bool has_owners() const { return shards_ != nullptr || !divided_.empty(); }
  void exchange(const Unit& unit, bool may_lose);
  void sum(const ArenaSlice& slice, bool compressed);
  void combine(const ArenaSlice& slice);
  void take_arrived();
  void wait_until_taken(std::size_t first, std::size_t last);
  void count_times();
  [[nodiscard]] std::uint64_t agree(std::uint64_t own);

  Communicator& communicator_;
  ReplicaMemory& memory_;
  Algorithm algorithm_;
  std::size_t bucket_bytes_;
  std::unique_ptr<Compression> compression_;  // null: messages are not compressed
  std::vector<ArenaSlice> uncut_;             // slices that buckets must not cut
  Reduction reduction_;
  std::vector<float> scratch_;  // memory for adasum
  std::int64_t compress_after_;
  ArenaSlice whole_;
  std::unique_ptr<ShardedUpdate> shards_;  // null: every rank updates everything
  std::vector<ArenaSlice> own_slices_;
  std::vector<ArenaSlice> counted_slices_;
  std::vector<ArenaSlice> uncounted_slices_;
  std::vector<MadeSlice> made_;
  std::vector<DividedSlice> divided_;
  std::vector<Unit> units_;  // in the order of the arena

  UpdateSlice update_;
  bool may_lose_ = false;       // whether messages may be compressed in this step
  std::size_t posted_ = 0;      // how many units of this step were posted
  std::size_t taken_ = 0;       // how many of these were taken
  double exposed_seconds_ = 0;  // not yet counted in times_
  // The communication thread's time while a unit is under way; not yet counted in times_ either.
  std::atomic<double> active_seconds_{0};
  CommunicationThread thread_;
};

}  // namespace convoy
