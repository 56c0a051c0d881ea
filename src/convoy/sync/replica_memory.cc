#include "convoy/sync/replica_memory.h"

#include "convoy/comm/shared_arena.h"

namespace convoy {
namespace {

std::vector<std::span<float>> floats_in_node(const SharedArena& arena, std::size_t count) {
  std::vector<std::span<float>> parts;
  for (int local = 0; local < arena.local_size(); ++local) parts.push_back(arena.floats_of(local, 0, count));
  return parts;
}

// Two bf16 elements take the space of one float.
std::vector<std::span<BFloat16>> halves_in_node(const SharedArena& arena, std::size_t count) {
  std::vector<std::span<BFloat16>> parts;
  for (const std::span<float> floats : floats_in_node(arena, (count + 1) / 2)) {
    parts.emplace_back(reinterpret_cast<BFloat16*>(floats.data()), count);
  }
  return parts;
}

}  // namespace

ReplicaMemory::ReplicaMemory(Communicator& communicator, std::size_t parameter_floats, std::size_t gradient_floats,
                             bool with_copies)
    : local_rank_(communicator.nodes().local_rank_of(communicator.rank())),
      parameters_(floats_in_node(communicator.allocate_arena(parameter_floats * sizeof(float)), parameter_floats)),
      gradients_(floats_in_node(communicator.allocate_arena(gradient_floats * sizeof(float)), gradient_floats)),
      copies_(parameters_.size()) {
  if (!with_copies) return;
  const std::size_t bytes = (parameter_floats + 1) / 2 * sizeof(float);
  copies_ = halves_in_node(communicator.allocate_arena(bytes), parameter_floats);
}

ReplicaMemory::ReplicaMemory(std::span<float> parameters, std::span<float> gradients)
    : parameters_{parameters}, gradients_{gradients}, copies_(1) {}

}  // namespace convoy
