#include "convoy/comm/node_barrier.h"

#include <utility>

#include "convoy/base/check.h"
#include "convoy/comm/lost_ranks.h"
#include "convoy/comm/patience.h"

namespace convoy {

NodeBarrier::NodeBarrier(std::vector<Counter*> counters, const NodeMap& nodes, int rank,
                         std::chrono::milliseconds deadline)
    : counters_(std::move(counters)), nodes_(nodes), rank_(rank), deadline_(deadline) {
  CONVOY_CHECK_EQ(counters_.size(), nodes.ranks_of(nodes.node_of(rank)).size());
}

void NodeBarrier::wait() {
  ++arrivals_;
  counters_[nodes_.local_rank_of(rank_)]->store(arrivals_, std::memory_order_release);
  Patience patience(deadline_);
  for (const Counter* counter : counters_) {
    while (counter->load(std::memory_order_acquire) < arrivals_) {
      if (!patience.wait()) throw lost_ranks_error(rank_, missing(), nodes_, deadline_);
    }
  }
}

std::vector<int> NodeBarrier::missing() const {
  std::vector<int> missing;
  for (std::size_t local = 0; local < counters_.size(); ++local) {
    if (counters_[local]->load(std::memory_order_acquire) < arrivals_) {
      missing.push_back(nodes_.ranks_of(nodes_.node_of(rank_))[local]);
    }
  }
  return missing;
}

}  // namespace convoy
