// Commands that start themselves on many workers: their flags, and the start.
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
  std::optional<int> workers;  // one, or as many as the hosts have slots
  std::string hosts;           // a list or a hostfile; this machine
  bool dry_run = false;
  // The command that goes on with a run on the same workers, but for --resume and the folder; empty where there is
  // none.
  std::vector<std::string> to_go_on;
};

// --workers, --hosts and --dry-run. --threads is the command's own.
void add_launch_flags(CLI::App& command, LaunchFlags& flags);

// Thrown when ranks that were started have failed. They, or this process, have said why.
struct RanksFailed {
  int exit_code = 1;
};

// Runs this very command line on as many workers as the flags say, and waits for them. `threads` of each worker are
// given, here or in a file that the workers read too, or left to the plan, which then adds --threads. Prints map and
// notes to stderr, the command to stdout for a dry run. Returns false when there is nothing to start, for one worker
// here or for a process that is a rank already: the caller goes on by itself. Throws UserError for what cannot be
// started, RanksFailed and Interrupted for what failed.
[[nodiscard]] bool launch(const LaunchFlags& flags, const ThreadWish& threads);

// The same for a command that computes nothing: one thread each, bound to no core, no map, no notes.
void launch_quietly(const LaunchFlags& flags);

// Whether this program can be started on that host by itself.
[[nodiscard]] bool can_start_on(const std::string& host);

}  // namespace convoy::cli
