#include "convoy/sync/sharded_update.h"

#include <omp.h>

#include <algorithm>
#include <utility>

#include "convoy/comm/ring.h"

namespace convoy {
namespace {

// Up to this many floats are copied by one thread.
constexpr std::size_t kCopiedAlone = std::size_t{1} << 14;

// The part that two slices have in common; empty if there is none.
ArenaSlice overlap(const ArenaSlice& a, const ArenaSlice& b) {
  const std::size_t begin = std::max(a.offset, b.offset);
  const std::size_t end = std::max(begin, std::min(a.end(), b.end()));
  return {.offset = begin, .count = end - begin};
}

}  // namespace

ShardedUpdate::ShardedUpdate(Communicator& communicator, ReplicaMemory& memory, std::span<const ArenaSlice> in_bf16)
    : communicator_(communicator), memory_(memory), plain_(make_plain_codec()), bf16_(make_bf16_codec()) {
  std::size_t done = 0;
  for (const ArenaSlice& slice : in_bf16) {
    pieces_.push_back({{.offset = done, .count = slice.offset - done}, plain_.get()});
    pieces_.push_back({slice, bf16_.get()});
    done = slice.end();
  }
  pieces_.push_back({{.offset = done, .count = memory.gradients().size() - done}, plain_.get()});
}

// The communicator decides which rank sums what. To find out, this starts a sum that sends nothing.
void ShardedUpdate::share_out(std::vector<ArenaSlice> slices) {
  slices_ = std::move(slices);
  own_.clear();
  for (const ArenaSlice& slice : slices_) {
    communicator_.hand_out(gradients_of(slice), [&](Endpoint& nodes, std::span<float> part) {
      const ArenaSlice shard = shard_of(part, nodes, nodes.rank());
      if (shard.count > 0) own_.push_back(shard);
    });
  }
}

void ShardedUpdate::sum(const ArenaSlice& slice) {
  const auto between = [&](Endpoint& nodes, std::span<float> part) { ring_reduce_scatter(nodes, part, scratch_); };
  communicator_.all_reduce(gradients_of(slice), between, false);
}

void ShardedUpdate::sum_and_update(const ArenaSlice& slice, const UpdateSlice& update) {
  omp_set_num_threads(1);  // on this thread: the cores are for the threads that compute
  const auto between = [&](Endpoint& nodes, std::span<float> part) {
    ring_reduce_scatter(nodes, part, scratch_);
    const ArenaSlice shard = shard_of(part, nodes, nodes.rank());
    if (shard.count > 0) update(shard);
    place_parameters(shard);
    gather(nodes, part, false);
  };
  communicator_.all_reduce(gradients_of(slice), between, false);
}

void ShardedUpdate::hand_out(const ArenaSlice& slice) {
  for (const ArenaSlice& shard : own_) place_parameters(overlap(shard, slice));
  const auto between = [&](Endpoint& nodes, std::span<float> part) { gather(nodes, part, false); };
  communicator_.hand_out(gradients_of(slice), between);
}

void ShardedUpdate::take(const ArenaSlice& slice) const {
  const float* const gradients = memory_.gradients().data();
  float* const parameters = memory_.parameters().data();
  BFloat16* const copies = memory_.copies().data();
  const bool has_copies = !memory_.copies().empty();
  visit_others(slice, [&](const ArenaSlice& part) {
    const auto end = static_cast<std::ptrdiff_t>(part.end());
#pragma omp parallel for if (part.count > kCopiedAlone)
    for (auto i = static_cast<std::ptrdiff_t>(part.offset); i < end; ++i) {
      parameters[i] = gradients[i];
      if (has_copies) copies[i] = to_bfloat16(gradients[i]);
    }
  });
}

void ShardedUpdate::bring_together(std::span<float> values) {
  for (const ArenaSlice& shard : own_) {
    std::ranges::copy(values.subspan(shard.offset, shard.count), gradients_of(shard).begin());
  }
  for (const ArenaSlice& slice : slices_) {
    const auto between = [&](Endpoint& nodes, std::span<float> part) { gather(nodes, part, true); };
    communicator_.hand_out(gradients_of(slice), between);
    visit_others(slice, [&](const ArenaSlice& part) {
      std::ranges::copy(gradients_of(part), values.begin() + static_cast<std::ptrdiff_t>(part.offset));
    });
  }
}

std::span<float> ShardedUpdate::gradients_of(const ArenaSlice& slice) const {
  return memory_.gradients().subspan(slice.offset, slice.count);
}

// The shard whose sums a node has after the first half of the ring.
ArenaSlice ShardedUpdate::shard_of(std::span<float> part, const Endpoint& nodes, int rank) const {
  const std::span<float> shard = ring_slice(part, nodes.size(), rank);
  return {.offset = static_cast<std::size_t>(shard.data() - memory_.gradients().data()), .count = shard.size()};
}

void ShardedUpdate::place_parameters(const ArenaSlice& shard) const {
  std::ranges::copy(memory_.parameters().subspan(shard.offset, shard.count), gradients_of(shard).begin());
}

// The second half of the ring. Messages are passed on as they arrived.
void ShardedUpdate::gather(Endpoint& nodes, std::span<float> part, bool exactly) {
  const int size = nodes.size();
  const int next = (nodes.rank() + 1) % size;
  const int previous = (nodes.rank() + size - 1) % size;
  const ArenaSlice own = shard_of(part, nodes, nodes.rank());
  const auto skip = [](const Codec&, const ArenaSlice&, const ArenaSlice&) {};
  const std::span<std::byte> contents = out_.resize(visit_pieces(own, exactly, skip));
  visit_pieces(own, exactly, [&](const Codec& codec, const ArenaSlice& piece, const ArenaSlice& bytes) {
    codec.encode(gradients_of(piece), contents.subspan(bytes.offset, bytes.count));
  });
  out_.seal(own.offset);
  for (int step = 0; step + 1 < size; ++step) {
    const ArenaSlice theirs = shard_of(part, nodes, nodes.rank() - step - 1);
    (void)in_.resize(visit_pieces(theirs, exactly, skip));
    exchange(nodes, next, out_, previous, in_, theirs.offset, communicator_.nodes());
    visit_pieces(theirs, exactly, [&](const Codec& codec, const ArenaSlice& piece, const ArenaSlice& bytes) {
      codec.decode(in_.contents().subspan(bytes.offset, bytes.count), gradients_of(piece));
    });
    std::swap(out_, in_);
  }
}

// Calls visit(codec, piece, bytes) for each piece of a slice; `bytes` is the place of its encoding in the message.
// Returns the message's length.
template <typename Visit>
std::size_t ShardedUpdate::visit_pieces(const ArenaSlice& slice, bool exactly, const Visit& visit) const {
  std::size_t at = 0;
  for (const Piece& piece : pieces_) {
    const ArenaSlice part = overlap(piece.slice, slice);
    if (part.count == 0) continue;
    const Codec& codec = exactly ? *plain_ : *piece.codec;
    const std::size_t bytes = codec.encoded_bytes(part.count);
    visit(codec, part, ArenaSlice{.offset = at, .count = bytes});
    at += bytes;
  }
  return at;
}

// Calls visit(part) for the parts of a slice that other ranks update.
template <typename Visit>
void ShardedUpdate::visit_others(const ArenaSlice& slice, const Visit& visit) const {
  std::size_t done = slice.offset;
  for (const ArenaSlice& shard : own_) {
    const ArenaSlice own = overlap(shard, slice);
    if (own.count == 0) continue;
    if (own.offset > done) visit(ArenaSlice{.offset = done, .count = own.offset - done});
    done = own.end();
  }
  if (done < slice.end()) visit(ArenaSlice{.offset = done, .count = slice.end() - done});
}

}  // namespace convoy
