// Memory for values that are to be all-reduced, one part for each rank, laid where the ranks of a node can read and
// write each other's part. They then sum in place, without a copy and without a message.
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
  // Collective, with the same size on all ranks; so is the end of its life. The transport outlives it.
  SharedArena(Transport& transport, std::size_t bytes);
  SharedArena(const SharedArena&) = delete;
  SharedArena& operator=(const SharedArena&) = delete;

  // This rank's part: zeroed, 64-byte aligned.
  [[nodiscard]] std::span<std::byte> memory() const { return values_of(local_rank_); }

  [[nodiscard]] int local_rank() const { return local_rank_; }
  [[nodiscard]] int local_size() const { return static_cast<int>(memory_.parts.size()); }

  // Where in memory() these values begin, or nothing when they are not inside it.
  [[nodiscard]] std::optional<std::size_t> offset_of(std::span<const float> values) const;

  // The values of a rank of this node at that place of its part.
  [[nodiscard]] std::span<float> floats_of(int local_rank, std::size_t offset_bytes, std::size_t count) const;

  // This rank's share of the work when the node's first `workers` ranks share it: its slice of the values of every rank
  // of the node at that place, cut at multiples of `unit` values. Empty slices for other ranks. Valid until the next
  // call.
  [[nodiscard]] std::span<const std::span<float>> own_slices(std::size_t offset_bytes, std::size_t count, int workers,
                                                             std::size_t unit);

  // Collective in the node: a barrier that all ranks pass with the same place and length; anything else is a defect
  // (InternalError on all of them), which would damage gradients silently.
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
