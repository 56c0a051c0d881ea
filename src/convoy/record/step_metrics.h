// What a step of training did and where its time went. One set of numbers from the step to the record on disk: a step
// fills it, ranks exchange it, an epoch adds it up, and records hold its times.
#pragma once

#include <cstdint>

namespace convoy {

// Where the time of a step went, or of all steps of an epoch.
struct StepTimes {
  double seconds = 0;  // wall time; the parts below are among it
  double compute_seconds = 0;
  double input_wait_seconds = 0;             // waiting for the loader
  double exposed_communication_seconds = 0;  // waiting for communication that computing did not hide
  double straggler_wait_seconds = 0;         // of that, waiting for ranks that came later
  double communication_seconds = 0;          // communication was under way; what is not exposed of it was hidden

  StepTimes& operator+=(const StepTimes& other);
  bool operator==(const StepTimes&) const = default;
};

// Copied between ranks as it is.
struct StepMetrics {
  std::int64_t samples = 0;
  std::int64_t right = 0;  // samples whose label scored highest
  double loss_sum = 0;     // over the samples
  StepTimes times;
  double backward_seconds = 0;  // from the beginning of the step to the end of its backward pass
  double cpu_seconds = 0;       // CPU time of the process
  double wire_bytes = 0;        // sent to other nodes

  // Adds the next step. A mean over samples is what the sums of several steps give.
  StepMetrics& operator+=(const StepMetrics& next);

  // 0 without samples.
  [[nodiscard]] double mean_loss() const;
  [[nodiscard]] double accuracy() const;
};

// Calls visit(name, member) for the times that an epoch keeps, with their names on disk and in the order of the files.
template <typename Times, typename Visit>
void visit_epoch_times(Times& times, Visit&& visit) {
  visit("seconds", times.seconds);
  visit("compute_seconds", times.compute_seconds);
  visit("input_wait_seconds", times.input_wait_seconds);
  visit("exposed_communication_seconds", times.exposed_communication_seconds);
}

// The same for all times, as a step keeps them.
template <typename Times, typename Visit>
void visit_step_times(Times& times, Visit&& visit) {
  visit_epoch_times(times, visit);
  visit("straggler_wait_seconds", times.straggler_wait_seconds);
  visit("communication_seconds", times.communication_seconds);
}

}  // namespace convoy
