// Writes the record of a run as curves for TensorBoard.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "convoy/exchange/tensorboard/event_file.h"
#include "convoy/record/run_record.h"

namespace convoy {

// "events.out.tfevents.1763264400.convoy": TensorBoard recognises files by how their names begin.
[[nodiscard]] std::string event_file_name(const RunRecord& run);

// Add points to curves, at a time in seconds since 1970: loss, rate and throughput for a step; loss, accuracy,
// throughput, shares of time and memory for an epoch.
void add_step(const StepRecord& step, double wall_time, EventFile& file);
void add_epoch(const EpochRecord& epoch, double wall_time, EventFile& file);

// The settings by which runs are told apart.
[[nodiscard]] std::vector<HyperParameter> hyper_parameters(const nlohmann::ordered_json& configuration);

// The event file of a whole run: its hyper-parameters, its steps over all ranks and its epochs.
[[nodiscard]] std::string run_events(const RunRecord& run);

}  // namespace convoy
