// What each rank did in a step. All ranks exchange these reports, so that all compute the same totals and decisions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "convoy/comm/communicator.h"
#include "convoy/record/step_metrics.h"

namespace convoy {

// Exchanged between ranks as raw bytes.
struct StepReport {
  StepMetrics metrics;
  std::uint64_t weights_hash = 0;  // 0 if it was not computed
  std::int64_t interrupted = 0;    // 1: this rank was asked to stop
  double gradient_norm = 0;        // 0 if it was not computed
};

class StepReports {
 public:
  explicit StepReports(Communicator& communicator) : communicator_(communicator), reports_(communicator.size()) {}

  // Collective: gives every rank all reports, in the order of ranks, each with how long that rank waited for
  // stragglers, which no rank knows by itself. Valid until the next call.
  std::span<const StepReport> exchange(const StepReport& own);

 private:
  Communicator& communicator_;
  std::vector<StepReport> reports_;
};

// One step of all ranks together. Samples, losses, CPU time and bytes are sums; wall time and the end of backward are
// those of the slowest rank; the parts of wall time are means.
[[nodiscard]] StepMetrics total_of(std::span<const StepReport> reports);

[[nodiscard]] bool any_interrupted(std::span<const StepReport> reports);

// How much of a rank's exposed communication was waiting for ranks whose backward took longer. Ranks leave a step
// together, so the next one begins at the same time on all, and no clocks are compared.
[[nodiscard]] double straggler_wait(const StepMetrics& own, double slowest_backward_seconds);

}  // namespace convoy
