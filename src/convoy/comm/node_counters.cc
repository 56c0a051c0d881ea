#include "convoy/comm/node_counters.h"

#include <algorithm>
#include <new>
#include <utility>

#include "convoy/base/check.h"

namespace convoy {
namespace {

// A cache line each, because ranks poll the numbers of others while these change.
constexpr std::size_t kBytes = 64;

}  // namespace

NodeCounters::NodeCounters(Transport& transport)
    : transport_(transport),
      local_rank_(transport.nodes().local_rank_of(transport.rank())),
      memory_(transport.share_in_node(kBytes)) {
  new (memory_.parts[local_rank_].data()) Counter(0);
  for (const std::span<std::byte> part : memory_.parts) {
    counters_.push_back(std::launder(reinterpret_cast<Counter*>(part.data())));
  }
  // No rank may touch a counter before its owner has constructed it.
  transport.barrier();
}

NodeCounters::NodeCounters(std::vector<Counter*> counters, Transport& transport)
    : transport_(transport),
      local_rank_(transport.nodes().local_rank_of(transport.rank())),
      counters_(std::move(counters)) {
  CONVOY_CHECK_EQ(counters_.size(), transport.nodes().ranks_of(transport.nodes().node_of(transport.rank())).size());
}

void NodeCounters::raise(std::uint64_t value) { counters_[local_rank_]->store(value, std::memory_order_release); }

bool NodeCounters::all_reached(std::uint64_t value) const {
  return std::ranges::all_of(counters_,
                             [&](const Counter* counter) { return counter->load(std::memory_order_acquire) >= value; });
}

void NodeCounters::await(std::uint64_t value) {
  target_ = value;
  // Polls first: this lasts about as long as ranks with the same work differ, and is cheaper than asking the transport
  // to wait.
  constexpr int kLooks = 200;
  for (int look = 0; look < kLooks; ++look) {
    if (all_arrived()) return;
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  transport_.wait_for(*this);
}

std::vector<int> NodeCounters::missing() const {
  const NodeMap& nodes = transport_.nodes();
  std::vector<int> missing;
  for (std::size_t local = 0; local < counters_.size(); ++local) {
    if (counters_[local]->load(std::memory_order_acquire) >= target_) continue;
    missing.push_back(nodes.ranks_of(nodes.node_of(transport_.rank()))[local]);
  }
  return missing;
}

}  // namespace convoy
