#include "convoy/train/step_report.h"

#include <algorithm>
#include <type_traits>

namespace convoy {

static_assert(std::is_trivially_copyable_v<StepReport>);

std::span<const StepReport> StepReports::exchange(const StepReport& own) {
  communicator_.all_gather(std::as_bytes(std::span(&own, 1)), std::as_writable_bytes(std::span(reports_)));
  return reports_;
}

StepReport total_of(std::span<const StepReport> reports) {
  StepReport total;
  const auto ranks = static_cast<double>(reports.size());
  for (const StepReport& report : reports) {
    total.rows += report.rows;
    total.right += report.right;
    total.loss += report.loss;
    total.seconds = std::max(total.seconds, report.seconds);
    total.compute_seconds += report.compute_seconds / ranks;
    total.input_wait_seconds += report.input_wait_seconds / ranks;
    total.exposed_seconds += report.exposed_seconds / ranks;
    total.communication_seconds += report.communication_seconds / ranks;
    total.until_reduced_seconds = std::max(total.until_reduced_seconds, report.until_reduced_seconds);
    total.cpu_seconds += report.cpu_seconds;
    total.interrupted = std::max(total.interrupted, report.interrupted);
  }
  return total;
}

double straggler_wait(const StepReport& own, std::span<const StepReport> all) {
  const double slowest = std::ranges::max(all, {}, &StepReport::until_reduced_seconds).until_reduced_seconds;
  return std::clamp(slowest - own.until_reduced_seconds, 0.0, own.exposed_seconds);
}

}  // namespace convoy
