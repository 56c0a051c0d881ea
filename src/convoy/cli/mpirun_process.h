// mpirun as a child of this process.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace convoy::cli {

struct EndOfMpirun {
  int exit_code = 0;         // of the ranks; 128 + signal when a signal ended mpirun itself
  int forwarded_signal = 0;  // SIGINT, SIGTERM or SIGHUP that came for the ranks; 0 when none did
  bool insisted = false;     // a second one came, and mpirun killed the ranks
  bool lingered = false;     // it had every reason to end, did not, and was killed: the exit code means nothing
};

// Gets what arrives on mpirun's stderr. True when that says that the run has failed, so that mpirun is to end.
using ReadStderr = std::function<bool(std::string_view)>;

// Runs `arguments`, the first of which is looked for in PATH, and waits for the end. SIGINT and SIGTERM of this process
// reach every rank as SIGUSR1 and SIGUSR2 (see interrupt.h): mpirun passes those on and waits, whereas it would kill
// the ranks a second after the others. A second signal does that. stdout is this process's own. Throws UserError when
// there is no such program. No other thread may run yet.
//
// mpirun waits for a host that is gone as long as TCP does. So once the run has failed, it has a few seconds to end by
// itself, and is then told to (SIGTERM) and killed (SIGKILL), as it is after a second signal.
[[nodiscard]] EndOfMpirun run_mpirun(const std::vector<std::string>& arguments, const ReadStderr& on_stderr);

}  // namespace convoy::cli
