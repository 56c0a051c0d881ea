// What a launcher (mpirun, srun) left in the environment of the ranks it started: known before MPI is there to ask.
#pragma once

#include <optional>
#include <string>

#include "convoy/comm/launcher.h"

namespace convoy::cli {

// This process's own environment; nothing for a variable that is not set.
[[nodiscard]] std::optional<std::string> environment_variable(const std::string& name);

struct LaunchedRank {
  int rank = 0;
  int size = 0;  // 0 when the launcher does not say
};

// Which rank the launcher says that this process is; nothing when no launcher started it. Any launcher counts, whether
// it fits the linked MPI or not.
[[nodiscard]] std::optional<LaunchedRank> launched_rank(const EnvironmentLookup& environment);

// Whether this process was started as a rank.
[[nodiscard]] bool started_as_rank();

// For a rank that has failed, before it says so: waits a moment in case an earlier rank failed of the same, says it
// and ends the run, this rank included. Returns at once on rank 0 and where there are no ranks.
void let_earlier_ranks_speak();

// Whether this is another rank than the first of a launcher that does not fit the linked MPI: they cannot reach each
// other, and all fail of that if not of something else.
[[nodiscard]] bool first_speaks_for_all();

}  // namespace convoy::cli
