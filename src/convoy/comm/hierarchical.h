// All-reduce in two levels: in shared memory inside a node, by messages between ranks of different nodes.
#pragma once

#include <functional>
#include <span>

#include "convoy/comm/shared_arena.h"

namespace convoy {

// How values are summed between nodes.
struct BetweenNodes {
  // How many ranks of each node, counted from its first, send and receive; the same number on every node.
  int delegates = 0;
  // How many values are summed, exchanged and handed out at a time. The same on all ranks.
  std::size_t chunk = 0;
  // The slices of delegates are cut at multiples of this many values, so values shorter than 16 KiB go between nodes in
  // one message instead of one from each delegate.
  std::size_t unit = 4096;
  // Whether values are summed inside nodes first. If not, a delegate uses only its own values.
  bool sums = true;
  // Collective over the delegates of the same local rank on all nodes: replaces values by their sums. Empty when there
  // is only one node.
  std::function<void(std::span<float>)> all_reduce;
};

// Collective. All-reduces the `count` values at the same offset of every rank's part of the arena.
//
// On one node: each rank sums its slice of the values of all ranks, in the order of ranks, and writes the sum to all of
// them, between two barriers. Nothing is copied, and every element is read and written once per rank.
//
// On several nodes: each delegate has a slice, which it handles chunk by chunk. It sums a chunk over its node into its
// own part, all-reduces that with the delegates of the other nodes, and writes the result to all ranks of its node.
// Every node sends as much as one rank would. While one delegate sums or writes, the others keep the network busy.
void hierarchical_all_reduce(SharedArena& arena, std::size_t offset_bytes, std::size_t count,
                             const BetweenNodes& between);

}  // namespace convoy
