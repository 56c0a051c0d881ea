// A barrier between the ranks of one node, in memory that they share: far faster than messages.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

#include "convoy/comm/node_map.h"

namespace convoy {

// Each rank counts its own arrivals in a counter that only it writes, and waits until every other counter has come as
// far. What a rank wrote before the barrier is seen by all after it.
class NodeBarrier {
 public:
  using Counter = std::atomic<std::uint64_t>;
  // It lies in memory of several processes.
  static_assert(Counter::is_always_lock_free);

  // counters[local rank] start at zero on all ranks and outlive this. `rank` is the calling rank.
  NodeBarrier(std::vector<Counter*> counters, const NodeMap& nodes, int rank, std::chrono::milliseconds deadline);

  // Collective in the node. Throws PeerError naming the ranks that have not come within the deadline.
  void wait();

 private:
  [[nodiscard]] std::vector<int> missing() const;

  std::vector<Counter*> counters_;
  const NodeMap& nodes_;
  int rank_;
  std::chrono::milliseconds deadline_;
  std::uint64_t arrivals_ = 0;
};

}  // namespace convoy
