// A barrier between the ranks of one node, in memory that they share: much faster than messages.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "convoy/comm/node_counters.h"

namespace convoy {

// Each rank counts its arrivals and waits until the counts of all others are as high. What a rank wrote before the
// barrier is visible to all after it.
class NodeBarrier {
 public:
  using Counter = NodeCounters::Counter;

  // counters[local rank] must be zero at the start on all ranks; they and the transport must outlive this.
  NodeBarrier(std::vector<Counter*> counters, Transport& transport) : counters_(std::move(counters), transport) {}

  // Collective in the node. Throws PeerError that names the ranks that have not arrived within the deadline.
  void wait() {
    counters_.raise(++arrivals_);
    counters_.await(arrivals_);
  }

 private:
  NodeCounters counters_;
  std::uint64_t arrivals_ = 0;
};

}  // namespace convoy
