#include "convoy/sync/bucket_plan.h"

#include <algorithm>

#include "convoy/comm/cut.h"

namespace convoy {
namespace {

constexpr std::size_t kLine = 16;  // floats of a cache line

}  // namespace

std::vector<ArenaSlice> plan_buckets(std::size_t arena_floats, std::size_t bucket_bytes) {
  const std::size_t bytes = arena_floats * sizeof(float);
  const std::size_t most = (arena_floats + kLine - 1) / kLine;
  const std::size_t wanted = (bytes + bucket_bytes / 2) / std::max<std::size_t>(bucket_bytes, 1);
  const std::size_t count = std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(most, 1));
  std::vector<ArenaSlice> buckets;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = cut_point(arena_floats, count, i, kLine);
    buckets.push_back({.offset = begin, .count = cut_point(arena_floats, count, i + 1, kLine) - begin});
  }
  return buckets;
}

ArenaSlice share_of(const ArenaSlice& slice, int rank, int ranks) {
  const auto parts = static_cast<std::size_t>(ranks);
  const auto index = static_cast<std::size_t>(rank);
  const std::size_t begin = cut_point(slice.count, parts, index, kLine);
  return {.offset = slice.offset + begin, .count = cut_point(slice.count, parts, index + 1, kLine) - begin};
}

}  // namespace convoy
