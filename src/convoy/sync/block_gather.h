// Every rank's block of some rows on every rank, in checked messages that may be encoded.
//
// Blocks go around in a ring: a rank passes on what it got last. Between neighbouring nodes each block then goes once,
// however many ranks they have. A rank sends (n-1)/n of all blocks, in n-1 messages.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "convoy/comm/communicator.h"
#include "convoy/sync/codec/codec.h"
#include "convoy/sync/codec/coded_message.h"

namespace convoy {

class BlockGather {
 public:
  // `codec` may be null. The communicator outlives it.
  BlockGather(Communicator& communicator, std::unique_ptr<Codec> codec);

  // Whether there is a codec.
  [[nodiscard]] bool can_encode() const { return codec_ != nullptr; }
  // What so many floats of a block take in a message.
  [[nodiscard]] std::size_t message_bytes(std::size_t floats, bool encoded) const;

  // Collective. Each of `matrices` is a block for each rank, equally long and in the order of ranks, of which this
  // rank's is filled. Afterwards all are, with the same bits on all ranks: what is encoded, the own block too.
  // `subject` tells calls apart. Throws PeerError naming the rank that a damaged message came from.
  void gather(std::span<const std::span<float>> matrices, bool encoded, std::uint64_t subject);

 private:
  struct Blocks;

  Communicator& communicator_;
  std::unique_ptr<Codec> codec_;
  std::unique_ptr<Codec> plain_;
  CodedMessage out_;
  CodedMessage in_;
};

}  // namespace convoy
