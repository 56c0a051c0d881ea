#include "convoy/comm/node_transport.h"

#include "convoy/base/error.h"

namespace convoy {
namespace {

const std::vector<int>& own_ranks(const Transport& world) {
  return world.nodes().ranks_of(world.nodes().node_of(world.rank()));
}

NodeMap own_node(const Transport& world) {
  std::vector<std::string> hosts;
  for (const int rank : own_ranks(world)) hosts.push_back(world.nodes().host_of(rank));
  const std::vector<int> keys(hosts.size());
  return {keys, hosts};
}

// Translates local ranks to ranks of the world.
class AwaitedInWorld final : public Awaited {
 public:
  AwaitedInWorld(const Awaited& awaited, const NodeTransport& node) : awaited_(awaited), node_(node) {}

  [[nodiscard]] bool all_arrived() const override { return awaited_.all_arrived(); }
  [[nodiscard]] std::vector<int> missing() const override {
    std::vector<int> ranks;
    for (const int rank : awaited_.missing()) ranks.push_back(node_.world_rank(rank));
    return ranks;
  }

 private:
  const Awaited& awaited_;
  const NodeTransport& node_;
};

}  // namespace

NodeTransport::NodeTransport(Transport& world)
    : Transport(world.nodes().local_rank_of(world.rank()), own_node(world), world.deadline()),
      world_(world),
      group_(world, own_ranks(world)) {}

void NodeTransport::wait_for(const Awaited& awaited) { world_.wait_for(AwaitedInWorld(awaited, *this)); }

void NodeTransport::library_all_reduce(std::span<float> /*values*/) {
  throw UserError("MPI's own all-reduce goes over all ranks, not over those of one node");
}

}  // namespace convoy
