// Memory shared by the processes of one node.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>

#include "convoy/comm/transport.h"

namespace convoy {

// Collective over `node`, a group of ranks of one machine: zeroed parts of `bytes` each, on pages of their own, so that
// each rank's part is in the memory near its cores. Freeing is collective too. The memory is not freed before the
// process ends when *broken is set or an exception is being thrown, since the other ranks may not take part.
[[nodiscard]] NodeMemory allocate_window(MPI_Comm node, std::size_t bytes, std::shared_ptr<const bool> broken);

}  // namespace convoy
