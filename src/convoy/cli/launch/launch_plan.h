// How to start workers under mpirun: how many on which host, on which cores, with how many threads. All but
// read_cores() is pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "convoy/cli/launch/hosts.h"

namespace convoy::cli {

// The cores of this machine in the order in which workers are bound to them.
struct Cores {
  std::vector<int> package_of_core;  // of each core the system allows, in hwloc's order, which is Open MPI's
  int usable = 1;                    // that a run can keep busy, affinity and container limits counted

  [[nodiscard]] int count() const { return static_cast<int>(package_of_core.size()); }
  // Whether a worker may have cores of its own: not where others share them by a limit that only counts.
  [[nodiscard]] bool are_ours() const { return usable == count(); }
};

[[nodiscard]] Cores read_cores();

struct LaunchRequest {
  int workers = 1;
  std::vector<Host> hosts;           // empty: this machine
  std::optional<int> threads;        // of each worker; its share of the cores if left out
  std::optional<int> most_threads;   // and of that no more than these, which the run had with other workers
  std::vector<std::string> command;  // what every worker runs, absolute path first
  bool own_cores = true;             // bind workers to cores of their own, where there are enough
};

// What this machine is like. Other hosts are taken to be like it.
struct LaunchSituation {
  std::string host_name;
  Cores cores;
  bool is_root = false;
  bool on_terminal = false;                 // stderr is one
  std::vector<std::string> variable_names;  // of the environment
};

struct LaunchPlan {
  std::vector<std::string> arguments;  // of mpirun, which is the first
  int threads = 1;                     // of each worker
  std::string map;                     // rank, host and cores, a line each
  std::vector<std::string> notes;      // what is not as the user might expect, a sentence each
};

// Throws UserError for workers and threads that cannot be.
[[nodiscard]] LaunchPlan plan_launch(const LaunchRequest& request, const LaunchSituation& situation);

}  // namespace convoy::cli
