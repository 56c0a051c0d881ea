// The record of a run as curves for TensorBoard.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "convoy/exchange/tensorboard/event_file.h"
#include "convoy/record/run_record.h"

namespace convoy {

// "events.out.tfevents.1763264400.convoy": TensorBoard finds files by the beginning of their names.
[[nodiscard]] std::string event_file_name(const RunRecord& run);

// Points of curves, at a time in seconds since 1970: loss, rate and throughput of a step; loss, accuracy, throughput,
// shares of time and memory of an epoch.
void add_step(const StepRecord& step, double wall_time, EventFile& file);
void add_epoch(const EpochRecord& epoch, double wall_time, EventFile& file);

// What tells runs apart, of the settings of a run.
[[nodiscard]] std::vector<HyperParameter> hyper_parameters(const nlohmann::ordered_json& configuration);

// The whole run: its hyper-parameters, its steps over all ranks and its epochs.
[[nodiscard]] std::string run_events(const RunRecord& run);

}  // namespace convoy
