#include "convoy/comm/node_counters.h"

#include <algorithm>
#include <new>

#include "convoy/comm/lost_ranks.h"
#include "convoy/comm/patience.h"

namespace convoy {
namespace {

// A cache line each: ranks look at the numbers of others while those change.
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
  // Nobody touches a counter before its rank has made it.
  transport.barrier();
}

void NodeCounters::raise(std::uint64_t value) { counters_[local_rank_]->store(value, std::memory_order_release); }

bool NodeCounters::all_reached(std::uint64_t value) const {
  return std::ranges::all_of(counters_,
                             [&](const Counter* counter) { return counter->load(std::memory_order_acquire) >= value; });
}

void NodeCounters::await(std::uint64_t value) const {
  Patience patience(transport_.deadline());
  while (!all_reached(value)) {
    if (!patience.wait()) {
      throw lost_ranks_error(transport_.rank(), ranks_behind(value), transport_.nodes(), transport_.deadline());
    }
  }
}

std::vector<int> NodeCounters::ranks_behind(std::uint64_t value) const {
  const NodeMap& nodes = transport_.nodes();
  std::vector<int> behind;
  for (std::size_t local = 0; local < counters_.size(); ++local) {
    if (counters_[local]->load(std::memory_order_acquire) >= value) continue;
    behind.push_back(nodes.ranks_of(nodes.node_of(transport_.rank()))[local]);
  }
  return behind;
}

}  // namespace convoy
