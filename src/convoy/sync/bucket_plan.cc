#include "convoy/sync/bucket_plan.h"

#include <algorithm>

#include "convoy/comm/cut.h"

namespace convoy {
namespace {

constexpr std::size_t kLine = 16;  // the floats of a cache line

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

void keep_whole(const ArenaSlice& slice, std::vector<ArenaSlice>& buckets) {
  const auto moved = [&](std::size_t border) {
    return border > slice.offset && border < slice.end() ? slice.end() : border;
  };
  for (ArenaSlice& bucket : buckets) {
    const std::size_t end = moved(bucket.end());
    bucket.offset = moved(bucket.offset);
    bucket.count = end - bucket.offset;
  }
  if (buckets.size() > 1) std::erase_if(buckets, [](const ArenaSlice& bucket) { return bucket.count == 0; });
}

ArenaSlice share_of(const ArenaSlice& slice, int rank, int ranks) {
  const auto parts = static_cast<std::size_t>(ranks);
  const auto index = static_cast<std::size_t>(rank);
  const std::size_t begin = cut_point(slice.count, parts, index, kLine);
  return {.offset = slice.offset + begin, .count = cut_point(slice.count, parts, index + 1, kLine) - begin};
}

}  // namespace convoy
