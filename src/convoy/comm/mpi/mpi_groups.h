// The MPI communicators that a transport works with, and which rank is on which node.
#pragma once

#include <mpi.h>

#include "convoy/comm/node_map.h"

namespace convoy {

// Owned, but freed only by free_all(), since freeing is collective.
struct MpiGroups {
  MPI_Comm messages = MPI_COMM_NULL;  // all ranks
  MPI_Comm alarms = MPI_COMM_NULL;    // all ranks, separate from the messages
  MPI_Comm node = MPI_COMM_NULL;      // the ranks of this rank's node, in their order

  // Collective. Errors on these communicators are returned and not fatal. `ranks_per_node` as in MpiOptions.
  [[nodiscard]] static MpiGroups of_world(int ranks_per_node);
  void free_all();
};

// Collective over all ranks.
[[nodiscard]] NodeMap node_map_of(const MpiGroups& groups);

[[nodiscard]] int rank_in(MPI_Comm group);
[[nodiscard]] int size_of(MPI_Comm group);

}  // namespace convoy
