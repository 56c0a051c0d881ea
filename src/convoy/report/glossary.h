// The meanings of the words in a report. Figures and the list of definitions both use them, so that they agree.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "convoy/report/document.h"

namespace convoy::report {

enum class Term : std::uint8_t {
  throughput,
  skipped_epochs,
  spread,    // median, mean, deviation, CV
  interval,  // of a mean
  speed_up,
  efficiency,
  strong_scaling,
  weak_scaling,
  time_efficiency,
  turnaround,
  step_time,
  step_increase,
  shares,
  free_network,
  cost,
  amdahl,
  universal,
  pay_off,
  oversubscribed,
  disturbed,
  cpu_use,
  usage,
  learning_rate,
  line_throughput,
  batch_advice,
  peak_memory,
  loss_area,
  given_up,
  final_accuracy,
  stable_accuracy,
  time_to_target,
  trend,
  test_error,
  gap,
  overfitting,
  global_batch,
  epoch_time,
};

// One to three sentences.
[[nodiscard]] std::string meaning(Term term);
// Several meanings, one after the other, each after its name: "Throughput: samples that ..."
[[nodiscard]] std::string meanings(std::initializer_list<Term> terms);

[[nodiscard]] std::string_view name_of(Term term);

[[nodiscard]] Definitions definitions(const std::vector<Term>& terms);

}  // namespace convoy::report
