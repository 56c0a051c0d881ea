// Who is to blame when a rank waited in vain, and the error that says so.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "convoy/comm/node_map.h"
#include "convoy/comm/peer_error.h"

namespace convoy {

// awaited_by[rank] are the ranks that it waits for, or nothing when it does not wait. Follows who waits for whom from
// `waiting` on, to the ranks that do not wait: a ring stands still for the one rank that is missing, not for the
// neighbours. Sorted; empty when the ranks wait for each other.
[[nodiscard]] std::vector<int> missing_ranks(int waiting,
                                             const std::vector<std::optional<std::vector<int>>>& awaited_by);

// `missing` are the ranks that `waiting` found missing. Without any, either the ranks wait for each other or the others
// gave up on this one. The error's rank() is the first missing one.
[[nodiscard]] PeerError lost_ranks_error(int waiting, const std::vector<int>& missing, const NodeMap& nodes,
                                         std::chrono::milliseconds deadline);

}  // namespace convoy
