// Finds out which ranks are missing when a rank has waited in vain, and makes the error that says so.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "convoy/comm/node_map.h"
#include "convoy/comm/peer_error.h"

namespace convoy {

// awaited_by[rank] holds the ranks that it waits for; no value when it does not wait. Starting at `waiting`, follows
// who waits for whom to the ranks that do not wait themselves: when one rank is missing in a ring, it alone is to
// blame, not the neighbours that are stuck behind it. Sorted; empty when the ranks wait for each other.
[[nodiscard]] std::vector<int> missing_ranks(int waiting,
                                             const std::vector<std::optional<std::vector<int>>>& awaited_by);

// `missing` are the ranks that `waiting` found missing. If there are none, either the ranks wait for each other or the
// others gave up on this one. The error's rank() is the first missing rank.
[[nodiscard]] PeerError lost_ranks_error(int waiting, const std::vector<int>& missing, const NodeMap& nodes,
                                         std::chrono::milliseconds deadline);

}  // namespace convoy
