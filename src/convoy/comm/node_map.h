// Which ranks are on the same node, that is, on a machine whose memory they can share.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace convoy {

// Nodes are numbered in the order of their lowest ranks; the lowest rank is the node's leader. Local ranks number the
// ranks of a node in order.
class NodeMap {
 public:
  // keys[rank] is any number that is equal for the ranks of one node and different for others; host_names[rank] is for
  // messages.
  NodeMap(std::span<const int> keys, std::vector<std::string> host_names);

  [[nodiscard]] int rank_count() const { return static_cast<int>(node_of_rank_.size()); }
  [[nodiscard]] int node_count() const { return static_cast<int>(ranks_of_node_.size()); }
  [[nodiscard]] int node_of(int rank) const { return node_of_rank_.at(rank); }
  [[nodiscard]] const std::vector<int>& ranks_of(int node) const { return ranks_of_node_.at(node); }
  [[nodiscard]] int leader_of(int node) const { return ranks_of(node).front(); }
  [[nodiscard]] int local_rank_of(int rank) const;
  [[nodiscard]] const std::string& host_of(int rank) const { return host_names_.at(rank); }
  [[nodiscard]] std::vector<int> leaders() const;

 private:
  std::vector<int> node_of_rank_;
  std::vector<std::vector<int>> ranks_of_node_;
  std::vector<std::string> host_names_;
};

}  // namespace convoy
