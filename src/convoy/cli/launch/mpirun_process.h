// Runs mpirun as a child of this process.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "convoy/cli/launch/mpirun_output.h"

namespace convoy::cli {

struct EndOfMpirun {
  int exit_code = 0;         // of the ranks; 128 + signal if a signal ended mpirun itself
  int killed_by = 0;         // that signal, or 0
  int forwarded_signal = 0;  // SIGINT, SIGTERM or SIGHUP that came and was passed on to the ranks; 0 if none came
  bool told_to_end = false;  // mpirun was told to kill the ranks
  bool unanswered = false;   // because they did not answer the request to stop
  bool lingered = false;     // it had every reason to end but did not, and was killed: the exit code means nothing
};

// Gets what arrives on mpirun's stderr and returns the resulting state of the ranks.
using ReadStderr = std::function<RanksState(std::string_view)>;

// Runs `arguments`, the first of which is looked for in PATH, and waits for the end. What it writes to stdout is
// written to that of this process. Throws UserError when there is no such program. No other thread may run yet.
//
// SIGINT, SIGTERM and SIGHUP of this process become a request to stop (launcher_lines.h), together with SIGUSR1 or
// SIGUSR2: mpirun passes those on and waits, whereas it would kill the ranks a second after the others. It is told to
// kill them (SIGTERM) by a second signal, when no rank listens yet, and when none answers within seconds.
//
// mpirun waits for a host that is gone as long as TCP does. So once the run has failed, mpirun has a few seconds to end
// by itself; then it is told to end and finally killed with its group (SIGKILL).
//
// When mpirun itself is killed, its ranks here are ended and what it left on this machine is removed; what earlier
// launches have left is removed at the start (mpirun_leftovers.h).
[[nodiscard]] EndOfMpirun run_mpirun(const std::vector<std::string>& arguments, const ReadStderr& on_stderr);

}  // namespace convoy::cli
