// An all-reduce whose messages are encoded.
//
// Each rank owns a slice of the values. It receives every other rank's share of that slice, encoded once, and sums them
// in the order of ranks with its own share, which loses nothing. Then it sends the sum, encoded once more, to all.
// Every rank, the owner included, goes on with the decoded sum, so all have the same bits. If the encoded values have m
// bytes, a rank sends 2m(n-1)/n bytes in 2(n-1) messages, as a ring does.
//
// Why not a ring: there a sum would be encoded anew at each of its n-1 stops and lose something each time. Why not an
// all-gather of everybody's values: it sends m(n-1) bytes, which is more than a plain ring as soon as there are 2c
// ranks, where c is the factor that the codec saves.
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

// A part of the values and the codec that encodes it.
struct CodedPiece {
  ArenaSlice slice;  // within the values that are summed
  const Codec* codec = nullptr;
};

class CodedAllReduce {
 public:
  // `nodes` covers the whole world, is used in error messages, and must outlive this.
  explicit CodedAllReduce(const NodeMap& nodes) : nodes_(nodes) {}

  // Collective over `endpoint`. The pieces cover the values in order, without gaps. `error` is as long as the values:
  // where a codec keeps its error, what was lost before is added, and what is lost now is stored there. It may be empty
  // if no codec does. `subject` identifies the call, so that messages of different calls are not confused. Throws
  // PeerError that names a rank whose message arrives damaged.
  void sum(Endpoint& endpoint, std::span<float> values, std::span<const CodedPiece> pieces, std::span<float> error,
           std::uint64_t subject);

 private:
  struct Call;
  void collect(Call& call);
  void hand_out(Call& call);

  const NodeMap& nodes_;
  // Members only so that their memory is reused.
  CodedMessage out_;
  std::vector<CodedMessage> shares_;
  std::vector<float> sum_;
  std::vector<float> decoded_;
};

}  // namespace convoy
