// The ranks of one node as a world of their own, for work that does not involve the other nodes.
#pragma once

#include "convoy/comm/group.h"
#include "convoy/comm/transport.h"

namespace convoy {

// Ranks are numbered within the node; errors name the ranks of `world`, which must outlive this and whose deadline is
// used. Must not be used while another thread uses the world.
class NodeTransport final : public Transport {
 public:
  explicit NodeTransport(Transport& world);

  [[nodiscard]] int world_rank(int peer) const override { return group_.world_rank(peer); }
  // Collective over all nodes.
  [[nodiscard]] NodeMemory share_in_node(std::size_t bytes) override { return world_.share_in_node(bytes); }
  void wait_for(const Awaited& awaited) override;
  [[nodiscard]] bool has_library_all_reduce() const override { return false; }
  // Throws UserError: the library's all-reduce works over all ranks only.
  void library_all_reduce(std::span<float> values) override;

 private:
  void do_send(int to, std::span<const std::byte> bytes) override { group_.send(to, bytes); }
  void do_receive(int from, std::span<std::byte> bytes) override { group_.receive(from, bytes); }
  void do_exchange(int to, std::span<const std::byte> out, int from, std::span<std::byte> in) override {
    group_.exchange(to, out, from, in);
  }
  [[nodiscard]] std::unique_ptr<Transfer> do_start_send(int to, int channel,
                                                        std::span<const std::byte> bytes) override {
    return world_.start_send(world_rank(to), channel, bytes);
  }
  [[nodiscard]] std::unique_ptr<Transfer> do_start_receive(int from, int channel, std::span<std::byte> bytes) override {
    return world_.start_receive(world_rank(from), channel, bytes);
  }

  Transport& world_;
  Group group_;
};

}  // namespace convoy
