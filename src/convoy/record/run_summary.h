// The outcome of a run: summary.json. It says `running` from the start, so a run that was killed still says so.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "convoy/record/throughput.h"

namespace convoy {

enum class RunStatus : std::uint8_t { running, completed, interrupted, diverged, failed };

[[nodiscard]] std::string_view to_text(RunStatus status);

struct RunSummary {
  RunStatus status = RunStatus::running;
  std::string reason;        // why it ended, for people: "signal 15", "loss is NaN at step 812"; empty when completed
  std::string finished;      // "2026-11-16T04:02:11Z"; empty while running
  std::int64_t epochs = 0;   // how many were completed
  std::int64_t steps = 0;    // how many were done
  std::int64_t samples = 0;  // how many were trained on
  std::optional<std::int64_t> best_epoch;  // absent when nothing was evaluated
  std::optional<double> best_test_top1;
  std::optional<double> train_loss;  // of the last epoch
  std::optional<double> train_accuracy;
  std::optional<double> test_loss;  // of the last evaluation
  std::optional<double> test_top1;
  std::optional<double> test_top5;
  std::vector<std::string> classes;  // names by label, for the two fields below
  std::vector<double> class_accuracy;
  std::optional<std::vector<std::vector<std::int64_t>>> confusion;  // [true class][predicted class]: how many samples
  double total_seconds = 0;                                         // over all sittings
  Throughput throughput;
  std::int64_t peak_memory_bytes = 0;
  // As in EpochRecord, summed over all epochs; absent when one of them lacks it.
  std::optional<double> cpu_seconds;
  std::optional<double> others_cpu_seconds;
  std::optional<double> steal_seconds;
  std::optional<double> wire_bytes;

  bool operator==(const RunSummary&) const = default;
};

// Fills in counts, best and last metrics, throughput, peak memory and total seconds from these epochs; the caller adds
// the rest.
[[nodiscard]] RunSummary summarize_epochs(std::span<const EpochRecord> epochs, std::int64_t skipped_epochs = 0);

[[nodiscard]] nlohmann::ordered_json to_json(const RunSummary& summary);
[[nodiscard]] RunSummary run_summary_from(const nlohmann::ordered_json& json);

}  // namespace convoy
