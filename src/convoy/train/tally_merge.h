// Merges the counts of all ranks.
#pragma once

#include "convoy/comm/communicator.h"
#include "convoy/train/tally.h"

namespace convoy {

// Collective: each rank has counted a part and gets the total, summed in the order of ranks.
[[nodiscard]] Tally merge_over_ranks(Tally own, Communicator& communicator);

}  // namespace convoy
