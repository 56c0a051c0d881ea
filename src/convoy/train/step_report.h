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
  explicit StepReports(Communicator& communicator) : communicator_(communicator) {}

  // Collective: gives every rank the reports of all ranks about the same steps, each with how long that rank waited for
  // stragglers, which no rank knows by itself. All ranks have as many.
  void exchange(std::span<const StepReport> own);

  // The reports about a step of the last exchange, in the order of ranks.
  [[nodiscard]] std::span<const StepReport> of_step(std::size_t step) const;

 private:
  Communicator& communicator_;
  std::vector<StepReport> arrived_;  // rank by rank
  std::vector<StepReport> reports_;  // step by step
};

// Which wall time a step of all ranks has. Ranks that step together all take as long as the slowest. Ranks that go
// apart differ from step to step and meet later: the sum of their means is then the time between two meetings.
enum class WallTime : std::uint8_t { slowest, mean };

// One step of all ranks together. Samples, losses, CPU time and bytes are sums; the end of backward is that of the
// slowest rank; the parts of wall time are means.
[[nodiscard]] StepMetrics total_of(std::span<const StepReport> reports, WallTime wall_time = WallTime::slowest);

[[nodiscard]] bool any_interrupted(std::span<const StepReport> reports);

// How much of a rank's exposed communication was waiting for ranks whose backward took longer. Ranks leave a step
// together, so the next one begins at the same time on all, and no clocks are compared.
[[nodiscard]] double straggler_wait(const StepMetrics& own, double slowest_backward_seconds);

}  // namespace convoy
