// Replicas must be copies of each other: the same program, the same settings, the same weights.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "convoy/comm/communicator.h"
#include "convoy/sync/step_report.h"

namespace convoy {

// Collective. Throws UserError naming the ranks and hosts whose `text` differs from rank 0's. `what` is what the text
// describes: "settings".
void require_same(Communicator& communicator, const std::string& what, const std::string& text);

// Throws SystemError naming the ranks whose weights differ from most others', after `step` steps. Reports without a
// hash are passed over.
void require_same_weights(std::span<const StepReport> reports, const NodeMap& nodes, std::int64_t step);

// Never 0.
[[nodiscard]] std::uint64_t hash_of(std::span<const float> weights);

}  // namespace convoy
