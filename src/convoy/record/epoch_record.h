// What all ranks did in one epoch: a line of epochs.jsonl and a row of epochs.csv.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "convoy/record/step_metrics.h"

namespace convoy {

struct EpochRecord {
  std::int64_t epoch = 0;  // counted from 1
  // How many steps of the run were done at its end; a resumed run keeps the epochs up to its checkpoint's step.
  std::int64_t end_step = 0;
  std::int64_t steps = 0;           // of this epoch
  std::int64_t samples = 0;         // trained on in this epoch by all ranks
  double train_loss = 0;            // mean over these samples, each computed at the step that used it
  double train_accuracy = 0;        // accuracies are shares in [0, 1]
  std::optional<double> test_loss;  // absent when this epoch was not evaluated
  std::optional<double> test_top1;
  std::optional<double> test_top5;  // also absent with five classes or fewer
  double learning_rate = 0;         // of the last step
  // Of the training part; those of visit_epoch_times(), of which all but `seconds` are means over ranks.
  StepTimes times;
  double evaluation_seconds = 0;  // not part of `times`
  double samples_per_second = 0;  // per wall time of the training part
  double cpu_use = 0;             // how many cores were busy on average, all ranks together
  std::int64_t peak_memory_bytes = 0;
  double elapsed_seconds = 0;  // since the run's start, over all sittings (see RunInfo), evaluation included
  // Of the training part, over all ranks and hosts. Absent in old records and where the system does not report it.
  std::optional<double> cpu_seconds;         // CPU time that the run got
  std::optional<double> others_cpu_seconds;  // CPU time that other processes got on the cores that the run may use
  std::optional<double> steal_seconds;       // CPU time that the hosts of virtual machines took away
  std::optional<double> cores;               // how many physical cores the run may use
  std::optional<double> wire_bytes;          // sent between nodes in the training part
  std::optional<double> average_test_loss;   // evaluated with the moving average of the weights; absent without one
  std::optional<double> average_test_top1;

  bool operator==(const EpochRecord&) const = default;
};

// Calls visit(name, member) for each field, in the order of the file.
template <typename Record, typename Visit>
requires std::same_as<std::remove_const_t<Record>, EpochRecord>
void visit_fields(Record& record, Visit&& visit) {
  visit("epoch", record.epoch);
  visit("end_step", record.end_step);
  visit("steps", record.steps);
  visit("samples", record.samples);
  visit("train_loss", record.train_loss);
  visit("train_accuracy", record.train_accuracy);
  visit("test_loss", record.test_loss);
  visit("test_top1", record.test_top1);
  visit("test_top5", record.test_top5);
  visit("learning_rate", record.learning_rate);
  visit_epoch_times(record.times, visit);
  visit("evaluation_seconds", record.evaluation_seconds);
  visit("samples_per_second", record.samples_per_second);
  visit("cpu_use", record.cpu_use);
  visit("peak_memory_bytes", record.peak_memory_bytes);
  visit("elapsed_seconds", record.elapsed_seconds);
  visit("cpu_seconds", record.cpu_seconds);
  visit("others_cpu_seconds", record.others_cpu_seconds);
  visit("steal_seconds", record.steal_seconds);
  visit("cores", record.cores);
  visit("wire_bytes", record.wire_bytes);
  visit("average_test_loss", record.average_test_loss);
  visit("average_test_top1", record.average_test_top1);
}

}  // namespace convoy
