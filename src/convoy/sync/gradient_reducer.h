// Sums gradients over all ranks while backward still computes others, and lets each rank update its share of the
// parameters.
//
//   reducer.begin_step(update);
//   network.backward([&](const ArenaSlice& slice) { reducer.ready(slice.end()); });
//   reducer.finish();
//
// Where gradients are sent by messages, those that are still on their way at the end of a step may arrive during the
// next one:
//
//   reducer.leave();                                   // instead of finish()
//   network.forward(..., [&](const ArenaSlice& slice) { reducer.need(slice); });
//   reducer.settle();
//   reducer.begin_step(update);
//
// or, where something must be known about all gradients before any parameter changes:
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
#include "convoy/sync/divided_slices.h"
#include "convoy/sync/local_options.h"
#include "convoy/sync/replica_memory.h"
#include "convoy/tensor/arena_slice.h"

namespace convoy {

// How the gradients of all ranks are combined.
enum class Reduction : std::uint8_t {
  mean,    // the gradient that one rank with all samples would have
  adasum,  // see adasum.h; between nodes, or on one node between ranks
};

// In the order of the enumeration, as users write them.
[[nodiscard]] const std::vector<std::string>& reduction_names();
// Throws UserError with the nearest name for an unknown one.
[[nodiscard]] Reduction reduction_named(const std::string& text);

struct ReducerOptions {
  Algorithm algorithm = Algorithm::automatic;
  std::size_t bucket_bytes = 0;                  // 0: chosen from the measured all-reduce times, or a usual size
  Timeline* timeline = nullptr;                  // null: nothing is noted
  CompressionOptions compression = {};           // between nodes; one node has nothing to compress
  std::vector<CompressibleTensor> tensors = {};  // the tensors that may be compressed, in the order of the arena
  LocalOptions local = {};
  std::int64_t staleness = 0;  // in steps, of asynchronous training (async_shards.h); 0: ranks step together
  Reduction reduction = Reduction::mean;
  std::vector<ArenaSlice> layers = {};  // for adasum: all tensors, in the order of the arena
  bool shards = false;                  // between nodes: see sharded_update.h
  // For shards: parameters of which kernels read copies in bf16, in the order of the arena.
  std::vector<ArenaSlice> in_bf16 = {};
};

// Seconds of one step on one rank.
struct ReducerTimes {
  double exposed = 0;  // the training thread only communicated or waited
  double active = 0;   // communication was under way, hidden behind computation or not
};

// Updates the parameters of a slice, whose gradients are complete sums over all ranks.
using UpdateSlice = std::function<void(const ArenaSlice&)>;

// A slice of gradients that is not summed directly but computed from other data that the ranks exchange.
struct MadeSlice {
  std::string name;  // for people
  ArenaSlice slice;
  // Collective: exchanges the data when the slice is ready on all ranks, at the same place in the order of
  // communication on all of them, while the training thread computes. `may_lose`: messages may be compressed in this
  // step.
  std::function<void(bool may_lose)> exchange;
  // Called on the training thread afterwards: writes the sums.
  std::function<void()> make;
};

// Thread rule: one training thread calls everything. No two steps overlap.
class GradientReducer {
 public:
  GradientReducer(const GradientReducer&) = delete;
  GradientReducer& operator=(const GradientReducer&) = delete;
  virtual ~GradientReducer() = default;

  // Called before the first step, with the same slices on all ranks, in the order of the arena: these are not summed
  // but made. Where all ranks share a node there are none.
  virtual void make_instead(std::vector<MadeSlice> slices) = 0;

  // The same for slices of which each rank updates only its own parts, as soon as they are ready on that rank. Between
  // steps complete_parameters() brings them up to date everywhere.
  virtual void divide(std::vector<DividedSlice> slices) = 0;

  // With `update`, own slices are updated as soon as they are summed, from within ready() and finish(). `step` is that
  // of the run, counted from 0.
  virtual void begin_step(UpdateSlice update = {}, std::int64_t step = 0) = 0;

  // Says that the gradients before `end`, in floats, will not change any more in this step, and that this rank will not
  // read their parameters again. The last call of a step gives the end of the arena.
  virtual void ready(std::size_t end) = 0;

  // Collective: runs `exchange`, which uses the communicator, at the same place in the order of communication on all
  // ranks, before everything that is still to be sent.
  virtual void run_in_turn(const std::function<void()>& exchange) = 0;

  // Collective, within a step: the same for data that the training thread waits for, which runs `meanwhile` first. The
  // rest of the wait counts among the step's.
  virtual void exchange_now(const std::function<void()>& exchange, const std::function<void()>& meanwhile = {}) = 0;

  // Returns when all own slices are summed.
  virtual void wait_for_sums() = 0;

  // The slices that this rank updates. Together those of all ranks cover the arena; each rank may own all of it.
  [[nodiscard]] virtual std::span<const ArenaSlice> own_slices() const = 0;
  // The slices that this rank counts for sum_over_owners(), and those of its own that another rank counts already.
  [[nodiscard]] virtual std::span<const ArenaSlice> counted_slices() const { return own_slices(); }
  [[nodiscard]] virtual std::span<const ArenaSlice> uncounted_slices() const { return {}; }

  // Collective, between wait_for_sums() and finish(): sums values that each rank computed from its own slices, so that
  // every part of the arena counts once. The same bits on all ranks.
  virtual void sum_over_owners(std::span<double> own) = 0;
  [[nodiscard]] double sum_over_owners(double own) {
    sum_over_owners(std::span(&own, 1));
    return own;
  }

  // Returns when all own slices on all ranks are updated and every rank has the new parameters.
  virtual void finish() = 0;

  // Instead of finish() where there is an `update`: returns when nothing is left to compute, even if sums are still on
  // their way. Until settle() only the reducer may use the communicator, except through run_in_turn().
  virtual void leave() { finish(); }
  // Returns when the parameters of the slice are up to date.
  virtual void need(const ArenaSlice& /*slice*/) {}
  // Returns when all parameters are up to date. Does nothing after finish().
  virtual void settle() {}

  // Collective, between steps: collects `values`, which are laid out like the gradients and of which each rank has only
  // its own slices, on the first rank. Overwrites the gradients.
  virtual void gather_to_first(std::span<float> values) = 0;

  // Collective, between steps: afterwards every rank has the exact value of every parameter. Before, it may have
  // parameters that others update only rounded, as kernels read them, or, of divided slices, as they were long ago. The
  // gradients may be overwritten.
  virtual void complete_parameters() {}

  // The compression, which may have state to save; null where messages are not compressed.
  [[nodiscard]] virtual Compression* compression() { return nullptr; }

  // How gradients are reduced, for people: "ring, buckets of 4 MiB".
  [[nodiscard]] virtual std::string description() const = 0;

  // Of the last step, including waits since the step before.
  [[nodiscard]] const ReducerTimes& times() const { return times_; }
  // Seconds of waits since then, which the times of the next step will include.
  [[nodiscard]] virtual double waited_since() const { return 0; }

 protected:
  explicit GradientReducer(Timeline* timeline) : timeline_(timeline) {}

  // Notes in the timeline that a bucket was summed, or what else was exchanged.
  void note(std::size_t bucket, Clock::time_point begin) const;
  void note(const char* exchange, Clock::time_point begin) const;

  ReducerTimes times_;

 private:
  Timeline* timeline_;
};

// The smallest measured size that is summed at nearly the highest rate: larger buckets would only mean longer waits. A
// default if the algorithm was not measured.
[[nodiscard]] std::size_t usual_bucket(const std::optional<AllReduceTable>& table, Algorithm algorithm);
// The same for buckets that are sent while threads compute: larger on fast links.
[[nodiscard]] std::size_t usual_message_bucket(const std::optional<AllReduceTable>& table, Algorithm algorithm,
                                               int nodes);

// Collective. `communicator` and `memory` must outlive it.
[[nodiscard]] std::unique_ptr<GradientReducer> make_gradient_reducer(Communicator& communicator, ReplicaMemory& memory,
                                                                     const ReducerOptions& options);

}  // namespace convoy
