// What the machines of a run did beside it: how much of their cores others used, or their hosts took away. Read between
// epochs only, so that it costs a step nothing.
#pragma once

#include <optional>
#include <vector>

#include "convoy/base/cpu_times.h"
#include "convoy/comm/communicator.h"

namespace convoy {

// Over all machines.
struct OthersLoad {
  double others_seconds = 0;  // CPU time of programs that are not the run's, on cores the run may use
  double steal_seconds = 0;   // taken away by the machine's host
};

class MachineLoad {
 public:
  // Collective. Finds out which ranks share a machine (its running kernel, so containers and network namespaces do too)
  // and which CPUs they may use; of each machine, its first rank reads the times.
  explicit MachineLoad(Communicator& communicator);

  // Begins a span of time. Not collective.
  void begin();

  // Collective: what happened since begin(), the same on all ranks. Nothing when a machine does not tell.
  [[nodiscard]] std::optional<OthersLoad> end();

  // Physical cores that the run may use, over all machines.
  [[nodiscard]] int cores() const { return cores_; }

 private:
  Communicator& communicator_;
  std::vector<int> cpus_;  // of this machine's ranks together, on the rank that reads; elsewhere empty
  bool reads_ = false;
  int cores_ = 0;
  std::optional<CpuTimes> begin_times_;
  double begin_own_ = 0;
};

}  // namespace convoy
