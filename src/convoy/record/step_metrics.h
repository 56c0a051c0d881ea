// What a step of training did and where its time went. The same set of numbers is used from the step to the record on
// disk: a step fills it, ranks exchange it, an epoch sums it, and records contain its times.
#pragma once

#include <cstdint>

namespace convoy {

// Where the time of a step, or of all steps of an epoch, went.
struct StepTimes {
  double seconds = 0;  // wall time; includes the parts below
  double compute_seconds = 0;
  double input_wait_seconds = 0;             // waiting for the loader
  double exposed_communication_seconds = 0;  // waiting for communication that was not hidden behind computation
  double straggler_wait_seconds = 0;         // the part of that which was spent waiting for slower ranks
  double communication_seconds = 0;          // communication was under way; the part that is not exposed was hidden

  StepTimes& operator+=(const StepTimes& other);
  bool operator==(const StepTimes&) const = default;
};

// Exchanged between ranks as raw bytes.
struct StepMetrics {
  std::int64_t samples = 0;
  std::int64_t right = 0;  // samples whose label had the highest score
  double loss_sum = 0;     // sum over the samples
  StepTimes times;
  double backward_seconds = 0;  // from the start of the step to the end of its backward pass
  double cpu_seconds = 0;       // CPU time of the process
  double wire_bytes = 0;        // sent to other nodes

  // Adds the next step, so that means over the samples of several steps can be computed.
  StepMetrics& operator+=(const StepMetrics& next);

  // Both are 0 without samples.
  [[nodiscard]] double mean_loss() const;
  [[nodiscard]] double accuracy() const;
};

// Calls visit(name, member) for the times that an epoch records, by their names on disk and in the order of the files.
template <typename Times, typename Visit>
void visit_epoch_times(Times& times, Visit&& visit) {
  visit("seconds", times.seconds);
  visit("compute_seconds", times.compute_seconds);
  visit("input_wait_seconds", times.input_wait_seconds);
  visit("exposed_communication_seconds", times.exposed_communication_seconds);
}

// The same for all times, as a step records them.
template <typename Times, typename Visit>
void visit_step_times(Times& times, Visit&& visit) {
  visit_epoch_times(times, visit);
  visit("straggler_wait_seconds", times.straggler_wait_seconds);
  visit("communication_seconds", times.communication_seconds);
}

}  // namespace convoy
