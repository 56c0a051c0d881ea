// All-reduce in two levels: in shared memory inside a node, by messages between ranks of different nodes.
#pragma once

#include <functional>
#include <span>

#include "convoy/comm/shared_arena.h"

namespace convoy {

// How values go between nodes.
struct BetweenNodes {
  // The first ranks of each node that send and receive, equally many on every node.
  int delegates = 0;
  // So many values are summed, exchanged and handed out at a time. The same on all ranks.
  std::size_t chunk = 0;
  // Delegates' slices are cut at multiples of this many values. What is shorter than 16 KiB goes between nodes in one
  // message and not in one from each delegate.
  std::size_t unit = 4096;
  // Whether values are summed inside nodes first. If not, a delegate goes on with its own.
  bool sums = true;
  // Collective over the delegates of the same local rank on all nodes: replaces values by their sums. Empty when there
  // is one node.
  std::function<void(std::span<float>)> all_reduce;
};

// Collective, on the same place of every rank's part of the arena, which lies within it.
//
// On one node: each rank sums its slice of the values of all ranks, in their order, and writes the sum to all of them,
// between two barriers. Nothing is copied, and every element is read and written once for each rank.
//
// On several: each delegate has a slice. It sums a chunk of it over its node into its own part, all-reduces that with
// the delegates of the other nodes, and writes the result to all ranks of its node. Every node sends as much as one
// rank would. A delegate's chunks come one after the other; while one delegate sums or writes, the others keep the
// network busy.
void hierarchical_all_reduce(SharedArena& arena, std::size_t offset_bytes, std::size_t count,
                             const BetweenNodes& between);

}  // namespace convoy
