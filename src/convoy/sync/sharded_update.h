// Updates that are divided between nodes. The first half of a ring sums a bucket and leaves each node with the sums of
// one shard of it. The node's delegates update the parameters of that shard, and the second half of the ring sends the
// new parameters to all nodes. So every parameter is updated once and not on every node, and each node needs the
// optimizer's state of its shards only. The bits are those of a ring after which every node updates everything.
//
// This sends as many bytes as sending sums, except for parameters that kernels read only as copies in bf16: they take
// half the bytes in the second half of the ring, three quarters in all. Only the owner has the exact value of such a
// parameter; the others have it rounded until bring_together().
//
// New parameters are sent from and received into the gradient arena, in place of the sums.
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

// Thread rule: one thread at a time, except for take(), which may run beside collective calls for other slices.
class ShardedUpdate {
 public:
  // `in_bf16`, in the order of the arena: the parameters that kernels read only as copies in bf16. The references must
  // outlive the object.
  ShardedUpdate(Communicator& communicator, ReplicaMemory& memory, std::span<const ArenaSlice> in_bf16);

  // Collective: from now on gradients are summed in these slices of the arena, which are in its order.
  void share_out(std::vector<ArenaSlice> slices);
  // Whether only their owners have the exact values of some parameters.
  [[nodiscard]] bool rounds() const { return pieces_.size() > 1; }
  // The slices that this rank updates, in the order of the arena.
  [[nodiscard]] std::span<const ArenaSlice> own() const { return own_; }

  // Collective, except take(). sum() leaves sums only in own shards. hand_out() sends the new parameters of the slice
  // to all ranks. sum_and_update() does both, with the update in between. The new parameters arrive in the gradient
  // arena; take() copies them to the parameters.
  void sum(const ArenaSlice& slice);
  void sum_and_update(const ArenaSlice& slice, const UpdateSlice& update);
  void hand_out(const ArenaSlice& slice);
  void take(const ArenaSlice& slice) const;

  // Collective: completes `values`, which are laid out like the gradients and of which each rank has only its own
  // shards. The gradients are overwritten.
  void bring_together(std::span<float> values);

 private:
  // How a part of the arena is encoded in messages.
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
  std::vector<Piece> pieces_;  // they cover the whole arena
  std::vector<ArenaSlice> slices_;
  std::vector<ArenaSlice> own_;
  // Kept between calls to reuse their memory.
  Scratch scratch_;
  CodedMessage out_, in_;
};

}  // namespace convoy
