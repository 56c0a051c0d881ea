// A barrier between the ranks of one node, in memory that they share: far faster than messages.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "convoy/comm/node_counters.h"

namespace convoy {

// Each rank counts its own arrivals, and waits until every other has come as far. What a rank wrote before the barrier
// is seen by all after it.
class NodeBarrier {
 public:
  using Counter = NodeCounters::Counter;

  // counters[local rank] start at zero on all ranks; they and the transport outlive this.
  NodeBarrier(std::vector<Counter*> counters, Transport& transport) : counters_(std::move(counters), transport) {}

  // Collective in the node. Throws PeerError naming the ranks that have not come within the deadline.
  void wait() {
    counters_.raise(++arrivals_);
    counters_.await(arrivals_);
  }

 private:
  NodeCounters counters_;
  std::uint64_t arrivals_ = 0;
};

}  // namespace convoy
