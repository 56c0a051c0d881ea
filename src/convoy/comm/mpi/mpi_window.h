// Memory shared by the processes of one node.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>

#include "convoy/comm/transport.h"

namespace convoy {

// Collective over `node`, a group of ranks of one machine: zeroed parts of `bytes` each, on pages of their own, so that
// each rank's lies near its cores. Given back collectively; left to the end of the process when *broken by then, or
// when an exception is on its way: the other ranks may not come.
[[nodiscard]] NodeMemory allocate_window(MPI_Comm node, std::size_t bytes, std::shared_ptr<const bool> broken);

}  // namespace convoy
