// What the machines of a run did besides it: how much of their cores others used, or their hosts took away. Read only
// between epochs, so that it does not slow down steps.
#pragma once

#include <optional>
#include <vector>

#include "convoy/base/cpu_times.h"
#include "convoy/comm/communicator.h"

namespace convoy {

// Summed over all machines.
struct OthersLoad {
  double others_seconds = 0;  // CPU time of programs that do not belong to the run, on cores that the run may use
  double steal_seconds = 0;   // taken away by the machine's host
};

class MachineLoad {
 public:
  // Collective. Finds out which ranks share a machine (those with the same running kernel, even in different containers
  // or network namespaces) and which CPUs they may use. The first rank of each machine reads the times.
  explicit MachineLoad(Communicator& communicator);

  // Begins an interval. Not collective.
  void begin();

  // Collective: what happened since begin(), the same on all ranks. No value if a machine does not report it.
  [[nodiscard]] std::optional<OthersLoad> end();

  // The number of physical cores that the run may use, over all machines.
  [[nodiscard]] int cores() const { return cores_; }

 private:
  Communicator& communicator_;
  std::vector<int> cpus_;  // those of all ranks of this machine, on the rank that reads; empty on others
  bool reads_ = false;
  int cores_ = 0;
  std::optional<CpuTimes> begin_times_;
  double begin_own_ = 0;
};

}  // namespace convoy
