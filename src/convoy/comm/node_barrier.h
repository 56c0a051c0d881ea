// A barrier between the ranks of one node, in memory that they share: far faster than messages.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "convoy/comm/transport.h"

namespace convoy {

// Each rank counts its own arrivals in a counter that only it writes, and waits until every other counter has come as
// far. What a rank wrote before the barrier is seen by all after it.
class NodeBarrier final : private Awaited {
 public:
  using Counter = std::atomic<std::uint64_t>;
  // It lies in memory of several processes.
  static_assert(Counter::is_always_lock_free);

  // counters[local rank] start at zero on all ranks; they and the transport outlive this.
  NodeBarrier(std::vector<Counter*> counters, Transport& transport);

  // Collective in the node. Throws PeerError naming the ranks that have not come within the deadline.
  void wait();

 private:
  [[nodiscard]] bool all_arrived() const override;
  [[nodiscard]] std::vector<int> missing() const override;

  std::vector<Counter*> counters_;
  Transport& transport_;
  const std::vector<int>& ranks_;  // of this node
  Counter& own_;
  std::uint64_t arrivals_ = 0;
};

}  // namespace convoy
