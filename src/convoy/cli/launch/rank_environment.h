// What a launcher (mpirun, srun) put into the environment of the ranks it started. It is known before MPI is
// initialised.
#pragma once

#include <optional>
#include <string>

#include "convoy/comm/launcher.h"

namespace convoy::cli {

// The value of a variable in this process's environment; no value if it is not set.
[[nodiscard]] std::optional<std::string> environment_variable(const std::string& name);

struct LaunchedRank {
  int rank = 0;
  int size = 0;  // 0 if the launcher does not say
};

// The rank that this process is according to its launcher; no value if no launcher started it. Any launcher counts,
// whether it matches the linked MPI or not.
[[nodiscard]] std::optional<LaunchedRank> launched_rank(const EnvironmentLookup& environment);

// Whether this process was started as a rank.
[[nodiscard]] bool started_as_rank();

// For a rank that has failed, before it says so: waits a moment, in case an earlier rank fails for the same reason,
// says so and ends the run, including this rank. Returns at once on rank 0 and if there are no ranks.
void let_earlier_ranks_speak();

// Whether this is a rank other than the first, started by a launcher that does not match the linked MPI. Such ranks
// cannot reach each other and all fail, at least for that reason, so only the first one reports it.
[[nodiscard]] bool first_speaks_for_all();

}  // namespace convoy::cli
