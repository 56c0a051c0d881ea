#include "convoy/sync/codec/coded_all_reduce.h"

#include <algorithm>

#include "convoy/base/check.h"
#include "convoy/base/vector_clones.h"
#include "convoy/comm/cut.h"
#include "convoy/comm/sums.h"

namespace convoy {
namespace {

// The ranks' slices are cut at multiples of this many values, which are whole blocks of the block codecs at their usual
// sizes.
constexpr std::size_t kUnit = 1024;

CONVOY_VECTOR_CLONES void take_away(const float* __restrict from, float* __restrict values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) values[i] = from[i] - values[i];
}

}  // namespace

// The arguments of one sum(), for the functions it consists of.
struct CodedAllReduce::Call {
  Endpoint& endpoint;
  std::span<float> values;
  std::span<const CodedPiece> pieces;
  std::span<float> error;
  std::uint64_t subject;

  // The slice of values that a rank owns.
  [[nodiscard]] ArenaSlice owned_by(int rank) const {
    const auto ranks = static_cast<std::size_t>(endpoint.size());
    const auto index = static_cast<std::size_t>(rank);
    const std::size_t begin = cut_point(values.size(), ranks, index, kUnit);
    return {.offset = begin, .count = cut_point(values.size(), ranks, index + 1, kUnit) - begin};
  }

  // Calls visit(codec, slice, bytes) for each part of a slice that has one codec: the part, and where in the message
  // its encoding is.
  template <typename Visit>
  void visit_pieces(const ArenaSlice& slice, const Visit& visit) const {
    std::size_t at = 0;
    for (const CodedPiece& piece : pieces) {
      const std::size_t begin = std::max(piece.slice.offset, slice.offset);
      const std::size_t end = std::min(piece.slice.end(), slice.end());
      if (begin >= end) continue;
      const std::size_t bytes = piece.codec->encoded_bytes(end - begin);
      visit(*piece.codec, ArenaSlice{.offset = begin, .count = end - begin}, ArenaSlice{.offset = at, .count = bytes});
      at += bytes;
    }
  }

  [[nodiscard]] std::size_t encoded_bytes(const ArenaSlice& slice) const {
    std::size_t total = 0;
    visit_pieces(slice, [&](const Codec&, const ArenaSlice&, const ArenaSlice& bytes) { total += bytes.count; });
    return total;
  }

  // Adds what was lost before to the values of the slice, encodes them, and stores in `error` what is lost now. The
  // values are no longer needed afterwards.
  void encode(const ArenaSlice& slice, CodedMessage& message) const {
    const std::span<std::byte> contents = message.resize(encoded_bytes(slice));
    visit_pieces(slice, [&](const Codec& codec, const ArenaSlice& part, const ArenaSlice& place) {
      const std::span<float> own = values.subspan(part.offset, part.count);
      const std::span<std::byte> bytes = contents.subspan(place.offset, place.count);
      if (!codec.keeps_error()) return codec.encode(own, bytes);
      const std::span<float> lost = error.subspan(part.offset, part.count);
      add_to(own, lost);
      codec.encode(own, bytes);
      codec.decode(bytes, lost);
      take_away(own.data(), lost.data(), lost.size());
    });
    message.seal(subject + slice.offset);
  }

  void decode(const ArenaSlice& slice, const CodedMessage& message, std::span<float> into) const {
    visit_pieces(slice, [&](const Codec& codec, const ArenaSlice& part, const ArenaSlice& place) {
      codec.decode(message.contents().subspan(place.offset, place.count),
                   into.subspan(part.offset - slice.offset, part.count));
    });
  }
};

void CodedAllReduce::sum(Endpoint& endpoint, std::span<float> values, std::span<const CodedPiece> pieces,
                         std::span<float> error, std::uint64_t subject) {
  Call call{.endpoint = endpoint, .values = values, .pieces = pieces, .error = error, .subject = subject};
  if (endpoint.size() == 1) return;
  collect(call);
  hand_out(call);
}

// Receives every rank's share of this rank's slice and sums them there.
void CodedAllReduce::collect(Call& call) {
  const int size = call.endpoint.size();
  const int rank = call.endpoint.rank();
  const ArenaSlice own = call.owned_by(rank);
  shares_.resize(static_cast<std::size_t>(size));
  for (int distance = 1; distance < size; ++distance) {
    const int to = (rank + distance) % size;
    const int from = (rank + size - distance) % size;
    call.encode(call.owned_by(to), out_);
    CodedMessage& share = shares_[static_cast<std::size_t>(from)];
    (void)share.resize(call.encoded_bytes(own));
    exchange(call.endpoint, to, out_, from, share, call.subject + own.offset, nodes_);
  }
  sum_.assign(own.count, 0.0F);
  decoded_.resize(own.count);
  const std::span<float> own_values = call.values.subspan(own.offset, own.count);
  for (int from = 0; from < size; ++from) {
    if (from != rank) call.decode(own, shares_[static_cast<std::size_t>(from)], decoded_);
    add_to(sum_, from == rank ? std::span<const float>(own_values) : decoded_);
  }
  std::ranges::copy(sum_, own_values.begin());
}

// Sends the sum of each slice from its owner to all ranks.
void CodedAllReduce::hand_out(Call& call) {
  const int size = call.endpoint.size();
  const int rank = call.endpoint.rank();
  const ArenaSlice own = call.owned_by(rank);
  const auto values_of = [&](const ArenaSlice& slice) { return call.values.subspan(slice.offset, slice.count); };
  call.encode(own, out_);
  call.decode(own, out_, values_of(own));
  for (int distance = 1; distance < size; ++distance) {
    const int to = (rank + distance) % size;
    const int from = (rank + size - distance) % size;
    const ArenaSlice theirs = call.owned_by(from);
    CodedMessage& share = shares_[static_cast<std::size_t>(from)];
    (void)share.resize(call.encoded_bytes(theirs));
    exchange(call.endpoint, to, out_, from, share, call.subject + theirs.offset, nodes_);
    call.decode(theirs, share, values_of(theirs));
  }
}

}  // namespace convoy
