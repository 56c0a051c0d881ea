#include "convoy/comm/node_map.h"

#include <algorithm>
#include <utility>

#include "convoy/base/check.h"

namespace convoy {

NodeMap::NodeMap(std::span<const int> keys, std::vector<std::string> host_names) : host_names_(std::move(host_names)) {
  CONVOY_CHECK_EQ(keys.size(), host_names_.size());
  for (std::size_t rank = 0; rank < keys.size(); ++rank) {
    const auto first = static_cast<std::size_t>(std::ranges::find(keys, keys[rank]) - keys.begin());
    if (first == rank) ranks_of_node_.emplace_back();
    const int node = first == rank ? node_count() - 1 : node_of_rank_[first];
    node_of_rank_.push_back(node);
    ranks_of_node_[node].push_back(static_cast<int>(rank));
  }
}

int NodeMap::local_rank_of(int rank) const {
  const std::vector<int>& ranks = ranks_of(node_of(rank));
  return static_cast<int>(std::ranges::find(ranks, rank) - ranks.begin());
}

std::vector<int> NodeMap::leaders() const {
  std::vector<int> leaders;
  for (const std::vector<int>& ranks : ranks_of_node_) {
    leaders.push_back(ranks.front());
  }
  return leaders;
}

}  // namespace convoy
