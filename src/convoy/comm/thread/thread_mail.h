// Messages between ranks that are threads of one process.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "convoy/base/clock.h"
#include "convoy/base/mutex.h"
#include "convoy/comm/node_map.h"
#include "convoy/comm/peer_error.h"
#include "convoy/comm/transport.h"

namespace convoy {

// Threads: each rank calls with its own number; one mutex guards everything. A message stays in its sender's memory
// until its receiver has copied it (under the mutex: simple, and fast enough for tests). So every send waits for its
// receiver, the strictest behaviour that MPI allows.
class ThreadMail {
 public:
  struct Outgoing {
    int to;
    std::span<const std::byte> bytes;
  };
  struct Incoming {
    int from;
    std::span<std::byte> bytes;
  };

  // The map must outlive this. `late_when_waiting` is explained in ThreadWorldOptions.
  ThreadMail(const NodeMap& nodes, std::chrono::milliseconds deadline, std::optional<int> late_when_waiting);

  // Sends, receives or both at once. When a rank waits in vain, it and all other waiting ranks throw the same
  // PeerError, which names the missing ranks.
  void transfer(int rank, const std::optional<Outgoing>& out, const std::optional<Incoming>& in);

  // Waits until all have arrived; fails the same way a receive does.
  void wait_for(int rank, const Awaited& awaited);

  // The rank will not call again. Ranks that wait for it, now or later, fail.
  void leave(int rank);

 private:
  struct Slot {
    bool full = false;
    std::span<const std::byte> bytes;
  };

  [[nodiscard]] Slot& slot(int from, int to) CONVOY_REQUIRES(mutex_);
  void post(int rank, const Outgoing& out) CONVOY_REQUIRES(mutex_);
  // Receives a message if there is one; whether there was.
  [[nodiscard]] bool take(int rank, const Incoming& in) CONVOY_REQUIRES(mutex_);
  // Wakes `peer` if it waits for `rank`, which has just sent or received its message.
  void satisfy(int peer, int rank) CONVOY_REQUIRES(mutex_);
  // Throws when the deadline has passed or a rank of awaited_by_[rank] will never come.
  void check_awaited(int rank, Clock::time_point deadline) CONVOY_REQUIRES(mutex_);
  // Waits until something changes. awaited_by_[rank] says for whom.
  void wait(int rank, MutexLock& lock, Clock::time_point deadline) CONVOY_REQUIRES(mutex_);
  [[nodiscard]] bool is_late(Clock::time_point deadline) const CONVOY_REQUIRES(mutex_);
  [[noreturn]] void give_up(int rank, const std::vector<int>& missing) CONVOY_REQUIRES(mutex_);

  const NodeMap& nodes_;
  std::chrono::milliseconds deadline_;
  std::optional<int> late_when_waiting_;
  Mutex mutex_;
  std::deque<ConditionVariable> wake_;  // by rank
  std::vector<Slot> slots_ CONVOY_GUARDED_BY(mutex_);
  std::vector<bool> left_ CONVOY_GUARDED_BY(mutex_);
  std::vector<std::optional<std::vector<int>>> awaited_by_ CONVOY_GUARDED_BY(mutex_);
  std::optional<PeerError> broken_ CONVOY_GUARDED_BY(mutex_);
};

}  // namespace convoy
