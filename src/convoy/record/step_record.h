// What one rank did in one step: a line of steps.jsonl and a row of steps.csv.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "convoy/record/step_metrics.h"

namespace convoy {

struct StepRecord {
  std::int64_t step = 0;   // counted from 1 over the whole run
  std::int64_t epoch = 0;  // counted from 1
  std::int64_t rank = 0;
  std::int64_t samples = 0;  // of this rank only
  double loss = 0;           // mean over these samples
  double learning_rate = 0;
  StepTimes times;
  std::optional<double> wire_bytes;  // bytes that this rank sent to other nodes; absent in old records

  bool operator==(const StepRecord&) const = default;
};

// Calls visit(name, member) for each field, in the order of the file.
template <typename Record, typename Visit>
requires std::same_as<std::remove_const_t<Record>, StepRecord>
void visit_fields(Record& record, Visit&& visit) {
  visit("step", record.step);
  visit("epoch", record.epoch);
  visit("rank", record.rank);
  visit("samples", record.samples);
  visit("loss", record.loss);
  visit("learning_rate", record.learning_rate);
  visit_step_times(record.times, visit);
  visit("wire_bytes", record.wire_bytes);
}

}  // namespace convoy
