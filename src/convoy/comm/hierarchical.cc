#include "convoy/comm/hierarchical.h"

#include <algorithm>
#include <vector>

#include "convoy/comm/sums.h"

namespace convoy {
namespace {

// The floats of a cache line: slices are cut at multiples of it, so that two ranks do not write to the same line if the
// values are aligned.
constexpr std::size_t kLine = 16;

void reduce_chunk(std::span<const std::span<float>> parts, int own, const BetweenNodes& between) {
  if (parts.size() > 1 && between.sums) sum_parts(parts, parts.subspan(own, 1));
  between.all_reduce(parts[own]);
  for (const std::span<float> part : parts) {
    if (part.data() != parts[own].data()) std::ranges::copy(parts[own], part.begin());
  }
}

void reduce_between_nodes(std::span<const std::span<float>> parts, int own, const BetweenNodes& between) {
  std::vector<std::span<float>> chunk(parts.size());
  for (std::size_t begin = 0; begin < parts[own].size(); begin += between.chunk) {
    const std::size_t count = std::min(between.chunk, parts[own].size() - begin);
    std::ranges::transform(parts, chunk.begin(), [&](std::span<float> part) { return part.subspan(begin, count); });
    reduce_chunk(chunk, own, between);
  }
}

}  // namespace

void hierarchical_all_reduce(SharedArena& arena, std::size_t offset_bytes, std::size_t count,
                             const BetweenNodes& between) {
  const bool several_nodes = static_cast<bool>(between.all_reduce);
  const auto parts = several_nodes ? arena.own_slices(offset_bytes, count, between.delegates, between.unit)
                                   : arena.own_slices(offset_bytes, count, arena.local_size(), kLine);
  arena.meet(offset_bytes, count);
  if (several_nodes) {
    reduce_between_nodes(parts, arena.local_rank(), between);
  } else if (parts.size() > 1) {
    sum_parts(parts, parts);
  }
  arena.barrier();
}

}  // namespace convoy
