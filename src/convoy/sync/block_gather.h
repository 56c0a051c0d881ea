// Brings every rank's block of rows to every rank, in checked messages that may be encoded.
//
// Blocks go around in a ring: each rank passes on what it received last. So each block goes only once from a node to
// the next, however many ranks they have. A rank sends (n-1)/n of all blocks, in n-1 messages.
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
  // `codec` may be null. The communicator must outlive it.
  BlockGather(Communicator& communicator, std::unique_ptr<Codec> codec);

  // Whether there is a codec.
  [[nodiscard]] bool can_encode() const { return codec_ != nullptr; }
  // How many bytes so many floats of a block take in a message.
  [[nodiscard]] std::size_t message_bytes(std::size_t floats, bool encoded) const;

  // Collective. Each of `matrices` consists of one block per rank, equally long and in the order of ranks; this rank's
  // block is filled. Afterwards all blocks are, with the same bits on all ranks: with a codec, a rank's own block is
  // also replaced by what the others decode. `subject` tells calls apart. Throws PeerError that names the rank from
  // which a damaged message came.
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
