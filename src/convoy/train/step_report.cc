#include "convoy/train/step_report.h"

#include <algorithm>
#include <type_traits>

namespace convoy {
namespace {

double slowest_backward_of(std::span<const StepReport> reports) {
  double slowest = 0;
  for (const StepReport& report : reports) slowest = std::max(slowest, report.metrics.backward_seconds);
  return slowest;
}

}  // namespace

static_assert(std::is_trivially_copyable_v<StepReport>);

std::span<const StepReport> StepReports::exchange(const StepReport& own) {
  communicator_.all_gather(std::as_bytes(std::span(&own, 1)), std::as_writable_bytes(std::span(reports_)));
  const double slowest = slowest_backward_of(reports_);
  for (StepReport& report : reports_) {
    report.metrics.times.straggler_wait_seconds = straggler_wait(report.metrics, slowest);
  }
  return reports_;
}

StepMetrics total_of(std::span<const StepReport> reports) {
  StepMetrics total;
  for (const StepReport& report : reports) {
    const auto ranks = static_cast<double>(reports.size());
    const StepTimes& times = report.metrics.times;
    total.samples += report.metrics.samples;
    total.right += report.metrics.right;
    total.loss_sum += report.metrics.loss_sum;
    total.times.seconds = std::max(total.times.seconds, times.seconds);
    total.times.compute_seconds += times.compute_seconds / ranks;
    total.times.input_wait_seconds += times.input_wait_seconds / ranks;
    total.times.exposed_communication_seconds += times.exposed_communication_seconds / ranks;
    total.times.straggler_wait_seconds += times.straggler_wait_seconds / ranks;
    total.times.communication_seconds += times.communication_seconds / ranks;
    total.cpu_seconds += report.metrics.cpu_seconds;
    total.wire_bytes += report.metrics.wire_bytes;
  }
  total.backward_seconds = slowest_backward_of(reports);
  return total;
}

bool any_interrupted(std::span<const StepReport> reports) {
  return std::ranges::any_of(reports, [](const StepReport& report) { return report.interrupted != 0; });
}

double straggler_wait(const StepMetrics& own, double slowest_backward_seconds) {
  return std::clamp(slowest_backward_seconds - own.backward_seconds, 0.0, own.times.exposed_communication_seconds);
}

}  // namespace convoy
