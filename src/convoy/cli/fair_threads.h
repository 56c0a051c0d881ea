// How many threads a rank may compute with.
#pragma once

#include "convoy/comm/communicator.h"

namespace convoy::cli {

// Collective: the cores this process may use, shared with the ranks of the node that may use the same ones. At least 1.
[[nodiscard]] int fair_threads(Communicator& communicator);

}  // namespace convoy::cli
