// The cores of this machine in the order in which workers are bound to them.
#pragma once

#include <vector>

namespace convoy::cli {

struct Cores {
  std::vector<int> package_of_core;  // of each core the system allows, in hwloc's order, which is Open MPI's
  int usable = 1;                    // that a run can keep busy, affinity and container limits counted

  [[nodiscard]] int count() const { return static_cast<int>(package_of_core.size()); }
  // Whether a worker may have cores of its own: not where others share them by a limit that only counts.
  [[nodiscard]] bool are_ours() const { return usable == count(); }
};

[[nodiscard]] Cores read_cores();

}  // namespace convoy::cli
