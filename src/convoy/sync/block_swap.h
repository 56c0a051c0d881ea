// Brings a block from every rank to every other rank, in checked messages: what rank a has for rank b, for all pairs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "convoy/comm/communicator.h"
#include "convoy/sync/codec/coded_message.h"

namespace convoy {

// The blocks of one exchange, from the point of view of one rank.
struct SwappedBlocks {
  // The bytes of the block for, or from, a rank. What one rank sends is what the other expects.
  std::function<std::size_t(int rank)> bytes_to;
  std::function<std::size_t(int rank)> bytes_from;
  // Writes the block for a rank; reads the one from a rank.
  std::function<void(int rank, std::span<std::byte> block)> write;
  std::function<void(int rank, std::span<const std::byte> block)> read;
};

class BlockSwap {
 public:
  // The communicator must outlive it.
  explicit BlockSwap(Communicator& communicator) : communicator_(communicator) {}

  // Collective. Blocks are read in a fixed order: the rank's own, which is not sent, then those of the ranks before it.
  // `subject` tells calls apart. Throws PeerError that names the rank from which a damaged message came.
  void swap(const SwappedBlocks& blocks, std::uint64_t subject);

 private:
  Communicator& communicator_;
  // Kept between calls to reuse their memory.
  CodedMessage out_;
  CodedMessage in_;
};

}  // namespace convoy
