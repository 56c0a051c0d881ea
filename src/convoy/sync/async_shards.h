// Asynchronous training: every rank takes its steps without waiting for the others, as far as a bound allows.
//
// The parameters are cut into one shard for each rank, its owner. After a step a rank pushes its gradients: each owner
// gets those of its shard, updates the shard with them at once and answers with the new parameters. The rank goes on
// meanwhile with the parameters it has. Between two meetings of all ranks:
//
//   open(steps)                     a number that all ranks agree on
//   refresh()                       before each step
//   push(rate, rows)                after each step
//   close()                         all have pushed; every rank has all parameters
//
// The bound: a rank begins a step, number k since the meeting, with parameters that contain the steps before
// k - staleness of all ranks, at least. An owner holds its answer to push k until it may be used for step k + 1, so the
// last answer is always enough, and earlier ones may be. Answers say how many steps of all ranks they contain.
//
// What a rank computes depends on when messages arrive, so two trainings do not have the same bits.
//
// A rank sends (size - 1) / size of its gradients and as much of parameters in a step: the bytes of a ring.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "convoy/base/mutex.h"
#include "convoy/comm/communicator.h"
#include "convoy/sync/codec/coded_message.h"
#include "convoy/sync/communication_thread.h"
#include "convoy/sync/replica_memory.h"
#include "convoy/tensor/arena_slice.h"

namespace convoy {

// Updates `parameters`, the shard, by the gradients of one rank.
using UpdateShard = std::function<void(const ArenaSlice& shard, std::span<float> parameters,
                                       std::span<const float> gradients, double rate)>;

// Thread rule: one training thread calls everything. Between open() and close() only the own communication thread uses
// the communicator; it calls `update`.
class AsyncShards {
 public:
  // `communicator` and `memory`, of which the first floats are trained, must outlive it. `staleness` is at least 1.
  AsyncShards(Communicator& communicator, ReplicaMemory& memory, std::int64_t staleness);
  AsyncShards(const AsyncShards&) = delete;
  AsyncShards& operator=(const AsyncShards&) = delete;
  ~AsyncShards();

  // Called on every rank, with the same `steps` and the same parameters, and with nothing else under way. From now on
  // `update` is called on another thread, for one push after the other.
  void open(std::int64_t steps, UpdateShard update);

  // Waits until the parameters that have arrived may be used for the next step, and takes them. Returns whether any
  // have changed.
  bool refresh();

  // Sends the gradients, which may change as soon as this returns. A push of no `rows` updates nothing, but counts.
  void push(double rate, std::int64_t rows);

  // Collective, after the last push: waits until all ranks have pushed all their steps. Afterwards every rank has the
  // same parameters, which contain all of them.
  void close();

  // Ends the work between open() and close() on this rank alone, where an error keeps it from going on: the last update
  // has returned afterwards. Does nothing while closed.
  void abandon() noexcept;

  // Collective, while closed: collects `values`, which are laid out like the gradients and of which each rank has only
  // its own shard, on the first rank.
  void gather_to_first(std::span<float> values);

  [[nodiscard]] std::int64_t staleness() const { return staleness_; }
  // For people: "asynchronously, at most 4 steps apart".
  [[nodiscard]] std::string description() const;

 private:
  struct Peer;
  class Waiting;

  [[nodiscard]] ArenaSlice shard_of(int rank) const;
  [[nodiscard]] std::span<float> trained() const;
  [[nodiscard]] std::int64_t oldest_answer() const CONVOY_REQUIRES(mutex_);
  void wait_until_sent();

  // On the communication thread. Those that return bool say whether anything has moved.
  void serve();
  void serve_until_end();
  [[nodiscard]] bool has_ended() const;
  [[nodiscard]] bool is_abandoned();
  [[nodiscard]] bool is_waited_for();
  [[nodiscard]] std::vector<int> missing();
  [[nodiscard]] bool turn();
  [[nodiscard]] bool send_push(Peer& peer);
  [[nodiscard]] bool take_push(Peer& peer);
  [[nodiscard]] bool send_answer(Peer& peer);
  [[nodiscard]] bool take_answer(Peer& peer);
  void update_by(const CodedMessage& push);
  void keep_answer(Peer& peer);
  [[nodiscard]] std::int64_t complete_steps() const;

  Communicator& communicator_;
  ReplicaMemory& memory_;
  std::int64_t staleness_;

  // Of the communication thread, while open.
  std::int64_t steps_ = 0;
  UpdateShard update_;
  std::vector<float> master_;  // the parameters of the own shard
  std::vector<std::unique_ptr<Peer>> peers_;

  Mutex mutex_;
  ConditionVariable changed_;
  std::int64_t pushed_ CONVOY_GUARDED_BY(mutex_) = 0;  // by this rank
  std::int64_t sent_ CONVOY_GUARDED_BY(mutex_) = 0;    // of these, those whose memory is free again
  // How many complete steps the training thread waits for; below 0 while it does not wait.
  std::int64_t needed_ CONVOY_GUARDED_BY(mutex_) = -1;
  bool has_failed_ CONVOY_GUARDED_BY(mutex_) = false;
  bool is_abandoned_ CONVOY_GUARDED_BY(mutex_) = false;

  std::uint64_t ticket_ = 0;
  CommunicationThread thread_;  // last member, because it uses all of the above
};

}  // namespace convoy
