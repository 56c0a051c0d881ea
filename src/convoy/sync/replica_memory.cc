#include "convoy/sync/replica_memory.h"

#include "convoy/comm/shared_arena.h"

namespace convoy {
namespace {

std::vector<std::span<float>> floats_in_node(const SharedArena& arena, std::size_t count) {
  std::vector<std::span<float>> parts;
  for (int local = 0; local < arena.local_size(); ++local) parts.push_back(arena.floats_of(local, 0, count));
  return parts;
}

}  // namespace

ReplicaMemory::ReplicaMemory(Communicator& communicator, std::size_t parameter_floats, std::size_t gradient_floats)
    : local_rank_(communicator.nodes().local_rank_of(communicator.rank())),
      parameters_(floats_in_node(communicator.allocate_arena(parameter_floats * sizeof(float)), parameter_floats)),
      gradients_(floats_in_node(communicator.allocate_arena(gradient_floats * sizeof(float)), gradient_floats)) {}

ReplicaMemory::ReplicaMemory(std::span<float> parameters, std::span<float> gradients)
    : parameters_{parameters}, gradients_{gradients} {}

}  // namespace convoy
