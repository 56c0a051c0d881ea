#include "convoy/comm/shared_arena.h"

#include <cstdint>
#include <functional>
#include <new>

#include "convoy/base/check.h"
#include "convoy/comm/cut.h"

namespace convoy {
// At the beginning of each rank's part, on a cache line that only this rank writes.
struct alignas(64) SharedArena::Header {
  NodeBarrier::Counter arrivals;
  std::uint64_t offset_bytes;
  std::uint64_t count;
};

SharedArena::SharedArena(Transport& transport, std::size_t bytes)
    : local_rank_(transport.nodes().local_rank_of(transport.rank())),
      memory_(transport.share_in_node(sizeof(Header) + bytes)),
      barrier_(make_headers(), transport) {
  // No rank may touch a header before its owner has constructed it.
  transport.barrier();
}

std::vector<NodeBarrier::Counter*> SharedArena::make_headers() const {
  new (memory_.parts[local_rank_].data()) Header{};
  std::vector<NodeBarrier::Counter*> counters;
  for (int local = 0; local < local_size(); ++local) {
    counters.push_back(&header_of(local).arrivals);
  }
  return counters;
}

SharedArena::Header& SharedArena::header_of(int local_rank) const {
  return *std::launder(reinterpret_cast<Header*>(memory_.parts[local_rank].data()));
}

std::span<std::byte> SharedArena::values_of(int local_rank) const {
  return memory_.parts[local_rank].subspan(sizeof(Header));
}

std::optional<std::size_t> SharedArena::offset_of(std::span<const float> values) const {
  const std::span<std::byte> own = memory();
  const std::span<const std::byte> bytes = std::as_bytes(values);
  // std::less is defined even for pointers into different objects.
  const std::less<const std::byte*> before;
  if (before(bytes.data(), own.data()) || before(own.data() + own.size(), bytes.data() + bytes.size())) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(bytes.data() - own.data());
}

std::span<float> SharedArena::floats_of(int local_rank, std::size_t offset_bytes, std::size_t count) const {
  const std::span<std::byte> bytes = values_of(local_rank).subspan(offset_bytes, count * sizeof(float));
  return {reinterpret_cast<float*>(bytes.data()), count};
}

std::span<const std::span<float>> SharedArena::own_slices(std::size_t offset_bytes, std::size_t count, int workers,
                                                          std::size_t unit) {
  own_slices_.clear();
  for (int local = 0; local < local_size(); ++local) {
    const std::span<float> values = floats_of(local, offset_bytes, count);
    const bool works = local_rank_ < workers;
    own_slices_.push_back(works ? slices(values, workers, local_rank_, local_rank_ + 1, unit) : std::span<float>{});
  }
  return own_slices_;
}

void SharedArena::meet(std::size_t offset_bytes, std::size_t count) {
  Header& own = header_of(local_rank_);
  own.offset_bytes = offset_bytes;
  own.count = count;
  barrier();
  for (int local = 0; local < local_size(); ++local) {
    CONVOY_CHECK_EQ(header_of(local).offset_bytes, header_of(0).offset_bytes);
    CONVOY_CHECK_EQ(header_of(local).count, header_of(0).count);
  }
}

}  // namespace convoy
