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

void StepReports::exchange(std::span<const StepReport> own) {
  const auto ranks = static_cast<std::size_t>(communicator_.size());
  arrived_.resize(own.size() * ranks);
  reports_.resize(own.size() * ranks);
  communicator_.all_gather(std::as_bytes(own), std::as_writable_bytes(std::span(arrived_)));
  for (std::size_t step = 0; step < own.size(); ++step) {
    const std::span<StepReport> together = std::span(reports_).subspan(step * ranks, ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank) together[rank] = arrived_[rank * own.size() + step];
    const double slowest = slowest_backward_of(together);
    for (StepReport& report : together) {
      report.metrics.times.straggler_wait_seconds = straggler_wait(report.metrics, slowest);
    }
  }
}

std::span<const StepReport> StepReports::of_step(std::size_t step) const {
  const auto ranks = static_cast<std::size_t>(communicator_.size());
  return std::span(reports_).subspan(step * ranks, ranks);
}

StepMetrics total_of(std::span<const StepReport> reports, WallTime wall_time) {
  StepMetrics total;
  for (const StepReport& report : reports) {
    const auto ranks = static_cast<double>(reports.size());
    const StepTimes& times = report.metrics.times;
    total.samples += report.metrics.samples;
    total.right += report.metrics.right;
    total.loss_sum += report.metrics.loss_sum;
    total.times.seconds = wall_time == WallTime::mean ? total.times.seconds + times.seconds / ranks
                                                      : std::max(total.times.seconds, times.seconds);
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
