// Memory for values that are all-reduced, one part for each rank, placed so that the ranks of a node can read and write
// each other's part. They then sum in place, without copies and messages.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "convoy/comm/node_barrier.h"
#include "convoy/comm/transport.h"

namespace convoy {

class SharedArena {
 public:
  // Construction and destruction are collective; the size is the same on all ranks. The transport must outlive it.
  SharedArena(Transport& transport, std::size_t bytes);
  SharedArena(const SharedArena&) = delete;
  SharedArena& operator=(const SharedArena&) = delete;

  // This rank's part: zeroed and 64-byte aligned.
  [[nodiscard]] std::span<std::byte> memory() const { return values_of(local_rank_); }

  [[nodiscard]] int local_rank() const { return local_rank_; }
  [[nodiscard]] int local_size() const { return static_cast<int>(memory_.parts.size()); }

  // The offset of these values in memory(), or no value when they are not inside it.
  [[nodiscard]] std::optional<std::size_t> offset_of(std::span<const float> values) const;

  // The values at that offset in the part of another rank of this node.
  [[nodiscard]] std::span<float> floats_of(int local_rank, std::size_t offset_bytes, std::size_t count) const;

  // This rank's share of the work when the first `workers` ranks of the node divide it: its slice of the values at that
  // offset in every rank's part, cut at multiples of `unit` values. Empty slices for ranks that do not work. Valid
  // until the next call.
  [[nodiscard]] std::span<const std::span<float>> own_slices(std::size_t offset_bytes, std::size_t count, int workers,
                                                             std::size_t unit);

  // Collective in the node: a barrier at which all ranks must give the same offset and count. Anything else is a defect
  // that would silently damage gradients; it throws InternalError on all of them.
  void meet(std::size_t offset_bytes, std::size_t count);
  // Collective in the node.
  void barrier() { barrier_.wait(); }

 private:
  struct Header;
  [[nodiscard]] Header& header_of(int local_rank) const;
  [[nodiscard]] std::span<std::byte> values_of(int local_rank) const;
  [[nodiscard]] std::vector<NodeBarrier::Counter*> make_headers() const;

  int local_rank_;
  NodeMemory memory_;
  NodeBarrier barrier_;
  std::vector<std::span<float>> own_slices_;  // a member, so that a step allocates nothing
};

}  // namespace convoy
