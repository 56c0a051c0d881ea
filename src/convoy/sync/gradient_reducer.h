// Sums gradients over all ranks while backward still computes others, and lets each rank update what it has to.
//
//   reducer.begin_step(update);
//   network.backward([&](const ArenaSlice& slice) { reducer.ready(slice.end()); });
//   reducer.finish();
//
// Where gradients go by messages, what is still on its way at the end of a step may come while the next one begins:
//
//   reducer.leave();                                   // instead of finish()
//   network.forward(..., [&](const ArenaSlice& slice) { reducer.need(slice); });
//   reducer.settle();
//   reducer.begin_step(update);
//
// or, where something has to be known of all gradients before any parameter changes:
//
//   reducer.begin_step();
//   network.backward([&](const ArenaSlice& slice) { reducer.ready(slice.end()); });
//   reducer.wait_for_sums();
//   for (const ArenaSlice& slice : reducer.own_slices()) ...;
//   update all own slices;
//   reducer.finish();
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "convoy/base/timeline.h"
#include "convoy/comm/communicator.h"
#include "convoy/sync/codec/compression.h"
#include "convoy/sync/local_options.h"
#include "convoy/sync/replica_memory.h"
#include "convoy/tensor/arena_slice.h"

namespace convoy {

// What becomes of the gradients of all ranks.
enum class Reduction : std::uint8_t {
  mean,    // what one rank with all samples would have
  adasum,  // see adasum.h; between nodes, or on one node between ranks
};

// In the order of the enumeration, as users write them.
[[nodiscard]] const std::vector<std::string>& reduction_names();
// Throws UserError with the nearest name for an unknown one.
[[nodiscard]] Reduction reduction_named(const std::string& text);

struct ReducerOptions {
  Algorithm algorithm = Algorithm::automatic;
  std::size_t bucket_bytes = 0;         // 0: by what the communicator knows of the network, or about what is usual
  Timeline* timeline = nullptr;         // null: nobody wants to know
  CompressionOptions compression = {};  // between nodes; one node has nothing to compress
  std::vector<CompressibleTensor> tensors = {};  // what may be compressed, in the order of the arena
  LocalOptions local = {};
  Reduction reduction = Reduction::mean;
  std::vector<ArenaSlice> layers = {};   // for adasum: all tensors, in the order of the arena
  bool shards = false;                   // between nodes: see sharded_update.h
  std::vector<ArenaSlice> in_bf16 = {};  // for shards: what kernels read as copies in bf16, in the order of the arena
};

// Seconds of one step on one rank.
struct ReducerTimes {
  double exposed = 0;  // the training thread did nothing but communicate or wait
  double active = 0;   // communication was under way, hidden or not
};

// Updates the parameters of a slice, whose gradients are sums over all ranks.
using UpdateSlice = std::function<void(const ArenaSlice&)>;

// A slice of the gradients whose sums are not added up but made of something else that ranks exchange.
struct MadeSlice {
  std::string name;  // for people
  ArenaSlice slice;
  // Collective, at the same place among the communication on all ranks, when the slice is ready everywhere. It runs
  // while the training thread computes. `may_lose`: messages may be compressed in this step.
  std::function<void(bool may_lose)> exchange;
  // On the training thread, after that: writes the sums.
  std::function<void()> make;
};

// Thread rule: one training thread calls everything. No two steps overlap.
class GradientReducer {
 public:
  GradientReducer(const GradientReducer&) = delete;
  GradientReducer& operator=(const GradientReducer&) = delete;
  virtual ~GradientReducer() = default;

  // Before the first step, the same on all ranks: these slices, in the order of the arena, are not summed but made.
  // Where ranks share a node there are none.
  virtual void make_instead(std::vector<MadeSlice> slices) = 0;

  // With `update`, own slices are updated as soon as their sums are there: from ready() and finish(). `step` is that of
  // the run, counted from 0.
  virtual void begin_step(UpdateSlice update = {}, std::int64_t step = 0) = 0;

  // The gradients before `end`, in floats, will not change any more in this step, nor will this rank read the
  // parameters there again. The last call of a step names the end of the arena.
  virtual void ready(std::size_t end) = 0;

  // Collective: runs `exchange`, which uses the communicator, at the same place among the reducer's own communication
  // on all ranks, before what is still to be sent.
  virtual void run_in_turn(const std::function<void()>& exchange) = 0;

  // Returns when the sums of all own slices are there.
  virtual void wait_for_sums() = 0;

  // What this rank updates. Together the own slices of the ranks are the whole arena; they may all be all of it.
  [[nodiscard]] virtual std::span<const ArenaSlice> own_slices() const = 0;
  // What it counts for sum_over_owners(): own slices, but none that another rank counts too if that adds up ranks.
  [[nodiscard]] virtual std::span<const ArenaSlice> counted_slices() const { return own_slices(); }

  // Collective, between wait_for_sums() and finish(): adds up what each rank found of its own slices, each part of the
  // arena counted once. The same bits on all ranks.
  virtual void sum_over_owners(std::span<double> own) = 0;
  [[nodiscard]] double sum_over_owners(double own) {
    sum_over_owners(std::span(&own, 1));
    return own;
  }

  // Returns when all own slices are updated on all ranks and every rank has the new parameters.
  virtual void finish() = 0;

  // In place of finish() where there is an `update`: returns when nothing is left to compute. Until settle() the
  // communicator is the reducer's alone, but for run_in_turn().
  virtual void leave() { finish(); }
  // Returns when the parameters of the slice are updated.
  virtual void need(const ArenaSlice& /*slice*/) {}
  // Returns when all are. Nothing to do where nothing was left.
  virtual void settle() {}

  // Collective, between steps: gives the first rank all of a memory laid out as the gradients are, of which each rank
  // has kept its own slices only. The gradients are lost.
  virtual void gather_to_first(std::span<float> values) = 0;

  // Collective, between steps: every rank knows every parameter exactly afterwards. Until then it may have those that
  // others update as kernels read them. The gradients may be lost.
  virtual void complete_parameters() {}

  // What makes messages shorter and has something to remember; null where nothing does.
  [[nodiscard]] virtual Compression* compression() { return nullptr; }

  // How it works, for people: "ring, buckets of 4 MiB".
  [[nodiscard]] virtual std::string description() const = 0;

  // Of the last step, with the waits since the one before it.
  [[nodiscard]] const ReducerTimes& times() const { return times_; }

 protected:
  explicit GradientReducer(Timeline* timeline) : timeline_(timeline) {}

  // Notes that a bucket was summed.
  void note(std::size_t bucket, Clock::time_point begin) const;

  ReducerTimes times_;

 private:
  Timeline* timeline_;
};

// The smallest size that is summed at nearly the highest rate, as measured: larger buckets would only be waited for. An
// algorithm that was not measured gets what is usual.
[[nodiscard]] std::size_t usual_bucket(const std::optional<AllReduceTable>& table, Algorithm algorithm);
// The same for buckets that are sent while threads compute: larger where the links are fast.
[[nodiscard]] std::size_t usual_message_bucket(const std::optional<AllReduceTable>& table, Algorithm algorithm,
                                               int nodes);

// Collective. `communicator` and `memory` outlive it.
[[nodiscard]] std::unique_ptr<GradientReducer> make_gradient_reducer(Communicator& communicator, ReplicaMemory& memory,
                                                                     const ReducerOptions& options);

}  // namespace convoy
