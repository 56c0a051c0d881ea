// What each rank did in a step, known to all of them afterwards: so all come to the same totals and decisions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "convoy/comm/communicator.h"

namespace convoy {

// Copied between ranks as it is.
struct StepReport {
  std::int64_t rows = 0;
  std::int64_t right = 0;
  double loss = 0;  // over rows
  double seconds = 0;
  double compute_seconds = 0;
  double input_wait_seconds = 0;
  double exposed_seconds = 0;
  double communication_seconds = 0;
  double until_reduced_seconds = 0;  // from the step's begin to the end of backward
  double cpu_seconds = 0;
  std::uint64_t weights_hash = 0;  // 0 where it was not computed
  std::int64_t interrupted = 0;
};

class StepReports {
 public:
  explicit StepReports(Communicator& communicator) : communicator_(communicator), reports_(communicator.size()) {}

  // Collective: every rank gets all reports, in the order of ranks. Valid until the next call.
  std::span<const StepReport> exchange(const StepReport& own);

 private:
  Communicator& communicator_;
  std::vector<StepReport> reports_;
};

// Sums over ranks; times are those of the slowest, except where they are means.
[[nodiscard]] StepReport total_of(std::span<const StepReport> reports);

// Of a rank's exposed communication, how long it waited for ranks whose backward took longer. Ranks leave a step
// together, so its begin is the same for all, and no clocks are compared.
[[nodiscard]] double straggler_wait(const StepReport& own, std::span<const StepReport> all);

}  // namespace convoy
