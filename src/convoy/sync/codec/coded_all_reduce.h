// An all-reduce whose messages are encoded.
//
// Each rank owns a slice of the values. It receives every other rank's share of that slice, encoded once, sums them in
// the order of ranks with its own, which nothing is lost of, and sends the sum, encoded once more, to all. Everybody,
// the owner too, goes on with the decoded sum: the same bits everywhere. A rank sends 2m(n-1)/n bytes of m encoded ones
// in 2(n-1) messages, as a ring does.
//
// Why no ring: there a sum would be encoded anew at each of its n-1 stops, and lose something each time. Why no
// all-gather of everybody's values: it sends m(n-1) bytes, more than the plain ring from 2c ranks on where a codec
// saves a factor of c.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "convoy/comm/endpoint.h"
#include "convoy/comm/node_map.h"
#include "convoy/sync/codec/codec.h"
#include "convoy/sync/codec/coded_message.h"
#include "convoy/tensor/arena_slice.h"

namespace convoy {

// How a stretch of values is encoded.
struct CodedPiece {
  ArenaSlice slice;  // of the values that are summed
  const Codec* codec = nullptr;
};

class CodedAllReduce {
 public:
  // `nodes` is of the whole world, for errors, and outlives it.
  explicit CodedAllReduce(const NodeMap& nodes) : nodes_(nodes) {}

  // Collective over `endpoint`. The pieces cover the values in order, without gaps. `error` is as long as the values:
  // where a codec keeps its error, what was lost before is added, and what is lost now is left there. It may be empty
  // where none does. `subject` tells calls apart that must not be taken for each other. Throws PeerError naming a rank
  // whose message arrives damaged.
  void sum(Endpoint& endpoint, std::span<float> values, std::span<const CodedPiece> pieces, std::span<float> error,
           std::uint64_t subject);

 private:
  struct Call;
  void collect(Call& call);
  void hand_out(Call& call);

  const NodeMap& nodes_;
  // Kept between calls for their memory.
  CodedMessage out_;
  std::vector<CodedMessage> shares_;
  std::vector<float> sum_;
  std::vector<float> decoded_;
};

}  // namespace convoy
