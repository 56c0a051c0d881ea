// All-reduce in two levels: in shared memory inside a node, by messages between one rank of each node.
#pragma once

#include <functional>
#include <span>

#include "convoy/comm/shared_arena.h"

namespace convoy {

// Collective, on the same place of every rank's part of the arena, which lies within it.
//
// On one node: each rank sums its slice of the values of all ranks, in their order, and writes the sum to all of them,
// between two barriers. Nothing is copied, and every element is read and written once for each rank.
//
// On several: each rank sums its slice into the leader's values; the leaders all-reduce theirs with `between_leaders`;
// each rank copies its leader's. Every node sends as much as one rank. `between_leaders` is called on leaders only, and
// is empty when there is one node.
void hierarchical_all_reduce(SharedArena& arena, std::size_t offset_bytes, std::size_t count,
                             const std::function<void(std::span<float>)>& between_leaders);

}  // namespace convoy
