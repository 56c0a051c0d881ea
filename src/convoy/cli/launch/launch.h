// Lets commands start themselves on many workers: the flags for it, and the start.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "convoy/run/fair_threads.h"

namespace CLI {
class App;
}

namespace convoy::cli {

struct LaunchFlags {
  std::optional<int> workers;  // default: as many as the hosts have slots, or one
  std::string hosts;           // a list or a hostfile; empty: this machine
  bool dry_run = false;
  // The command that resumes a run on the same workers, without --resume and the folder; empty if there is none.
  std::vector<std::string> to_go_on;
};

// Adds --workers, --hosts and --dry-run. --threads is up to the command.
void add_launch_flags(CLI::App& command, LaunchFlags& flags);

// Thrown when started ranks have failed. They, or this process, have already said why.
struct RanksFailed {
  int exit_code = 1;
};

// Runs this command line on as many workers as the flags say, and waits for them. The `threads` per worker are given,
// here or in a file that the workers read too, or left to the plan, which then adds --threads. Prints the map and notes
// to stderr and, for a dry run, the command to stdout. Returns false when nothing has to be started, because there is
// one worker on this machine or the process is already a rank: the caller then goes on by itself. Throws UserError for
// what cannot be started, and RanksFailed or Interrupted if the workers fail or are stopped.
[[nodiscard]] bool launch(const LaunchFlags& flags, const ThreadWish& threads);

// The same for a command that does not compute: one thread per worker, no binding to cores, no map and no notes.
void launch_quietly(const LaunchFlags& flags);

// Whether this program can be started on that host.
[[nodiscard]] bool can_start_on(const std::string& host);

}  // namespace convoy::cli
