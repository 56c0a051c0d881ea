// Some of the ranks as a world of their own, for an algorithm that only they run, such as the delegates of all nodes.
#pragma once

#include <vector>

#include "convoy/comm/endpoint.h"

namespace convoy {

// Rank i of the group is ranks[i] of `world`, which must outlive it. The calling rank must be one of them. Errors name
// the ranks of the world.
class Group final : public Endpoint {
 public:
  Group(Endpoint& world, std::vector<int> ranks);

  [[nodiscard]] int world_rank(int peer) const override { return world_.world_rank(ranks_[peer]); }

 private:
  void do_send(int to, std::span<const std::byte> bytes) override;
  void do_receive(int from, std::span<std::byte> bytes) override;
  void do_exchange(int to, std::span<const std::byte> out, int from, std::span<std::byte> in) override;

  Endpoint& world_;
  std::vector<int> ranks_;
};

}  // namespace convoy
