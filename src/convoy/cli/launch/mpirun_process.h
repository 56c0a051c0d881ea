// mpirun as a child of this process.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "convoy/cli/launch/mpirun_output.h"

namespace convoy::cli {

struct EndOfMpirun {
  int exit_code = 0;         // of the ranks; 128 + signal when a signal ended mpirun itself
  int killed_by = 0;         // that signal, or 0
  int forwarded_signal = 0;  // SIGINT, SIGTERM or SIGHUP that came for the ranks; 0 when none did
  bool told_to_end = false;  // mpirun was told to kill the ranks
  bool unanswered = false;   // as they did not answer the request to stop
  bool lingered = false;     // it had every reason to end, did not, and was killed: the exit code means nothing
};

// Gets what arrives on mpirun's stderr, and says what all of it so far means.
using ReadStderr = std::function<RanksState(std::string_view)>;

// Runs `arguments`, the first of which is looked for in PATH, and waits for the end. stdout is this process's own.
// Throws UserError when there is no such program. No other thread may run yet.
//
// SIGINT, SIGTERM and SIGHUP of this process become a request to stop (launcher_lines.h), with SIGUSR1 or SIGUSR2
// beside it: mpirun passes those on and waits, whereas it would kill the ranks a second after the others. It is told to
// do just that (SIGTERM) by a second signal, when no rank listens yet, and when none answers within seconds.
//
// mpirun waits for a host that is gone as long as TCP does. So once the run has failed, it has a few seconds to end by
// itself, and is then told to and, with its group, killed (SIGKILL).
//
// When mpirun itself is killed, its ranks here are ended, and what it left on this machine is removed; what earlier
// launches have left is removed at the start (mpirun_leftovers.h).
[[nodiscard]] EndOfMpirun run_mpirun(const std::vector<std::string>& arguments, const ReadStderr& on_stderr);

}  // namespace convoy::cli
