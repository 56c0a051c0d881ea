// Updates that nodes share out: a bucket is summed by the first half of a ring, which leaves each node with the sums of
// a shard of it. The node's delegates update these parameters, and the second half of the ring takes the new parameters
// to all. Every parameter is updated once and not once on every node, and each node needs the optimizer's memory of its
// shards only. The bits are those of a ring after which every node updates everything.
//
// As many bytes go as with sums, unless kernels read a parameter as a copy in bf16 alone: then half of them are enough
// on the second way, three quarters in all. Only the owner knows such a parameter exactly; others have it rounded until
// bring_together().
//
// New parameters travel in the gradient arena, in the place of the sums they were made of.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "convoy/comm/chunks.h"
#include "convoy/comm/communicator.h"
#include "convoy/sync/codec/codec.h"
#include "convoy/sync/codec/coded_message.h"
#include "convoy/sync/gradient_reducer.h"
#include "convoy/sync/replica_memory.h"

namespace convoy {

// Thread rule: one thread at a time, but for take(), which may run beside what is collective on other slices.
class ShardedUpdate {
 public:
  // `in_bf16`, in the order of the arena: what kernels read as copies in bf16 alone. Others outlive it.
  ShardedUpdate(Communicator& communicator, ReplicaMemory& memory, std::span<const ArenaSlice> in_bf16);

  // Collective: from now on these slices of the arena, in its order, are what is summed at a time.
  void share_out(std::vector<ArenaSlice> slices);
  // Whether some parameters are known to their owners alone.
  [[nodiscard]] bool rounds() const { return pieces_.size() > 1; }
  // What this rank updates of them, in the order of the arena.
  [[nodiscard]] std::span<const ArenaSlice> own() const { return own_; }

  // Collective. sum() leaves sums in own shards alone; sum_and_update() goes on with hand_out(), which gives all ranks
  // the new parameters of the slice: take() has to bring them from the gradients to where they belong.
  void sum(const ArenaSlice& slice);
  void sum_and_update(const ArenaSlice& slice, const UpdateSlice& update);
  void hand_out(const ArenaSlice& slice);
  void take(const ArenaSlice& slice) const;

  // Collective: gives every rank all of a memory laid out as the gradients are, of which each has its own shards only.
  // The gradients are lost.
  void bring_together(std::span<float> values);

 private:
  // How a stretch of the arena is written in messages.
  struct Piece {
    ArenaSlice slice;
    const Codec* codec = nullptr;
  };

  [[nodiscard]] std::span<float> gradients_of(const ArenaSlice& slice) const;
  [[nodiscard]] ArenaSlice shard_of(std::span<float> part, const Endpoint& nodes, int rank) const;
  void place_parameters(const ArenaSlice& shard) const;
  void gather(Endpoint& nodes, std::span<float> part, bool exactly);
  template <typename Visit>
  std::size_t visit_pieces(const ArenaSlice& slice, bool exactly, const Visit& visit) const;
  template <typename Visit>
  void visit_others(const ArenaSlice& slice, const Visit& visit) const;

  Communicator& communicator_;
  ReplicaMemory& memory_;
  std::unique_ptr<Codec> plain_;
  std::unique_ptr<Codec> bf16_;
  std::vector<Piece> pieces_;  // of the whole arena
  std::vector<ArenaSlice> slices_;
  std::vector<ArenaSlice> own_;
  // Kept between calls for their memory.
  Scratch scratch_;
  CodedMessage out_, in_;
};

}  // namespace convoy
