// Checks that replicas are copies of each other: the same program, the same settings, the same weights.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "convoy/comm/communicator.h"

namespace convoy {

// Collective. Throws UserError that names the ranks and hosts whose `text` differs from rank 0's. `what` says what the
// text describes, such as "settings".
void require_same(Communicator& communicator, const std::string& what, const std::string& text);

// `hashes` are those of all ranks' weights after `step` steps, in the order of ranks. Throws SystemError that names the
// ranks whose hash differs from that of most others.
void require_same_weights(std::span<const std::uint64_t> hashes, const NodeMap& nodes, std::int64_t step);

// Never returns 0.
[[nodiscard]] std::uint64_t hash_of(std::span<const float> weights);

}  // namespace convoy
