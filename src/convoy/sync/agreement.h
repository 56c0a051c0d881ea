// Replicas must be copies of each other: the same program, the same settings, the same weights.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "convoy/comm/communicator.h"

namespace convoy {

// Collective. Throws UserError naming the ranks and hosts whose `text` differs from rank 0's. `what` is what the text
// describes: "settings".
void require_same(Communicator& communicator, const std::string& what, const std::string& text);

// `hashes` are those of the ranks' weights, in the order of ranks, after `step` steps. Throws SystemError naming the
// ranks whose hash differs from most others'.
void require_same_weights(std::span<const std::uint64_t> hashes, const NodeMap& nodes, std::int64_t step);

// Never 0.
[[nodiscard]] std::uint64_t hash_of(std::span<const float> weights);

}  // namespace convoy
