#include "convoy/record/step_metrics.h"

namespace convoy {

StepTimes& StepTimes::operator+=(const StepTimes& other) {
  seconds += other.seconds;
  compute_seconds += other.compute_seconds;
  input_wait_seconds += other.input_wait_seconds;
  exposed_communication_seconds += other.exposed_communication_seconds;
  straggler_wait_seconds += other.straggler_wait_seconds;
  communication_seconds += other.communication_seconds;
  return *this;
}

StepMetrics& StepMetrics::operator+=(const StepMetrics& next) {
  samples += next.samples;
  right += next.right;
  loss_sum += next.loss_sum;
  times += next.times;
  backward_seconds += next.backward_seconds;
  cpu_seconds += next.cpu_seconds;
  wire_bytes += next.wire_bytes;
  return *this;
}

double StepMetrics::mean_loss() const { return samples > 0 ? loss_sum / static_cast<double>(samples) : 0; }

double StepMetrics::accuracy() const {
  return samples > 0 ? static_cast<double>(right) / static_cast<double>(samples) : 0;
}

}  // namespace convoy
