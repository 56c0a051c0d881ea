// Plans how workers are started under mpirun: how many on which host, on which cores, with how many threads. Everything
// except read_cores() is pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "convoy/cli/launch/hosts.h"

namespace convoy::cli {

// The cores of this machine, in the order in which workers are bound to them.
struct Cores {
  std::vector<int> package_of_core;  // for each core that the system allows; in hwloc's order, which Open MPI uses too
  int usable = 1;                    // how many a run can keep busy, given affinity and container limits

  [[nodiscard]] int count() const { return static_cast<int>(package_of_core.size()); }
  // Whether workers can be bound to cores: not if a container's limit only counts CPU time on cores that others use
  // too.
  [[nodiscard]] bool are_ours() const { return usable == count(); }
};

[[nodiscard]] Cores read_cores();

struct LaunchRequest {
  int workers = 1;
  std::vector<Host> hosts;     // empty: this machine
  std::optional<int> threads;  // per worker; default: its share of the cores
  // If it takes its share, at most this many, which the run had with another number of workers.
  std::optional<int> most_threads;
  std::vector<std::string> command;  // what every worker runs, beginning with an absolute path
  bool own_cores = true;             // bind workers to separate cores, if there are enough
};

// Properties of this machine. Other hosts are assumed to be like it.
struct LaunchSituation {
  std::string host_name;
  Cores cores;
  bool is_root = false;
  bool on_terminal = false;                 // whether stderr is one
  std::vector<std::string> variable_names;  // of the environment
};

struct LaunchPlan {
  std::vector<std::string> arguments;  // of mpirun; the first is mpirun itself
  int threads = 1;                     // per worker
  std::string map;                     // one line per rank: rank, host and cores
  std::vector<std::string> notes;      // what the user might not expect, one sentence each
};

// Throws UserError for impossible numbers of workers and threads.
[[nodiscard]] LaunchPlan plan_launch(const LaunchRequest& request, const LaunchSituation& situation);

}  // namespace convoy::cli
