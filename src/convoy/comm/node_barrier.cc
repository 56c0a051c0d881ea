#include "convoy/comm/node_barrier.h"

#include <algorithm>
#include <utility>

#include "convoy/base/check.h"

namespace convoy {
namespace {

// About as long as ranks that do the same work come apart. Asking the transport costs more than a look.
constexpr int kLooks = 200;

void pause_briefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

NodeBarrier::NodeBarrier(std::vector<Counter*> counters, Transport& transport)
    : counters_(std::move(counters)),
      transport_(transport),
      ranks_(transport.nodes().ranks_of(transport.nodes().node_of(transport.rank()))),
      own_(*counters_.at(transport.nodes().local_rank_of(transport.rank()))) {
  CONVOY_CHECK_EQ(counters_.size(), ranks_.size());
}

void NodeBarrier::wait() {
  ++arrivals_;
  own_.store(arrivals_, std::memory_order_release);
  for (int look = 0; look < kLooks; ++look) {
    if (all_arrived()) return;
    pause_briefly();
  }
  transport_.wait_for(*this);
}

bool NodeBarrier::all_arrived() const {
  return std::ranges::all_of(
      counters_, [&](const Counter* counter) { return counter->load(std::memory_order_acquire) >= arrivals_; });
}

std::vector<int> NodeBarrier::missing() const {
  std::vector<int> missing;
  for (std::size_t local = 0; local < counters_.size(); ++local) {
    if (counters_[local]->load(std::memory_order_acquire) < arrivals_) missing.push_back(ranks_[local]);
  }
  return missing;
}

}  // namespace convoy
