#include "convoy/comm/hierarchical.h"

#include <algorithm>

#include "convoy/comm/sums.h"

namespace convoy {
void hierarchical_all_reduce(SharedArena& arena, std::size_t offset_bytes, std::size_t count,
                             const std::function<void(std::span<float>)>& between_leaders) {
  const std::span<const std::span<float>> parts = arena.own_slices(offset_bytes, count);
  const bool several_nodes = static_cast<bool>(between_leaders);
  const bool leader = arena.local_rank() == 0;
  arena.meet(offset_bytes, count);
  if (parts.size() > 1) sum_parts(parts, parts.first(several_nodes ? 1 : parts.size()));
  arena.barrier();
  if (!several_nodes) return;

  if (leader) between_leaders(arena.floats_of(0, offset_bytes, count));
  arena.barrier();
  if (!leader) {
    std::ranges::copy(arena.floats_of(0, offset_bytes, count),
                      arena.floats_of(arena.local_rank(), offset_bytes, count).begin());
  }
  // The leader may change its values again.
  arena.barrier();
}

}  // namespace convoy
