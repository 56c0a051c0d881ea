#include "convoy/sync/codec/element_compression.h"

#include <algorithm>
#include <utility>

#include "convoy/comm/shared_arena.h"

namespace convoy {
namespace {

std::vector<CodedPiece> pieces_of_arena(const std::vector<CompressibleTensor>& tensors, const Codec& codec,
                                        const Codec& plain, std::size_t arena_floats) {
  std::vector<CodedPiece> pieces;
  std::size_t done = 0;
  for (const CompressibleTensor& tensor : tensors) {
    if (tensor.slice.offset > done) pieces.push_back({{done, tensor.slice.offset - done}, &plain});
    pieces.push_back({tensor.slice, &codec});
    done = tensor.slice.end();
  }
  if (done < arena_floats) pieces.push_back({{done, arena_floats - done}, &plain});
  return pieces;
}

}  // namespace

// All ranks of a node use one memory. Each delegate has its own slice of it, so no two write to the same place.
std::span<float> shared_error(Communicator& communicator, std::size_t arena_floats) {
  return communicator.allocate_arena(arena_floats * sizeof(float)).floats_of(0, 0, arena_floats);
}

ElementCompression::ElementCompression(Communicator& communicator, std::unique_ptr<Codec> codec,
                                       const std::vector<CompressibleTensor>& tensors, std::size_t arena_floats)
    : codec_(std::move(codec)),
      plain_(make_plain_codec()),
      arena_(pieces_of_arena(tensors, *codec_, *plain_, arena_floats)),
      all_reduce_(communicator.nodes()) {
  for (const CompressibleTensor& tensor : tensors) {
    padding_.insert(padding_.end(), tensor.padding.begin(), tensor.padding.end());
  }
  if (codec_->keeps_error()) error_ = shared_error(communicator, arena_floats);
}

void ElementCompression::sum(Endpoint& nodes, std::size_t offset, std::span<float> values) {
  plan_pieces({.offset = offset, .count = values.size()});
  const std::span<float> error = error_.empty() ? error_ : error_.subspan(offset, values.size());
  all_reduce_.sum(nodes, values, pieces_, error, offset);
  clear_padding(offset, values);
  if (!error.empty()) clear_padding(offset, error);
}

void ElementCompression::plan_pieces(const ArenaSlice& slice) {
  pieces_.clear();
  for (const CodedPiece& piece : arena_) {
    const std::size_t begin = std::max(piece.slice.offset, slice.offset);
    const std::size_t end = std::min(piece.slice.end(), slice.end());
    if (begin < end) pieces_.push_back({{begin - slice.offset, end - begin}, piece.codec});
  }
}

// A codec may turn zeros there into something else.
void ElementCompression::clear_padding(std::size_t offset, std::span<float> values) const {
  const std::size_t end = offset + values.size();
  const auto first = std::ranges::upper_bound(padding_, offset, {}, &ArenaSlice::end);
  for (auto at = first; at != padding_.end() && at->offset < end; ++at) {
    const std::size_t from = std::max(at->offset, offset) - offset;
    const std::size_t to = std::min(at->end(), end) - offset;
    std::ranges::fill(values.subspan(from, to - from), 0.0F);
  }
}

}  // namespace convoy
