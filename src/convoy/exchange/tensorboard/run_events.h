// The record of a run as curves for TensorBoard.
#pragma once

#include <string>

#include "convoy/record/run_record.h"

namespace convoy {

// "events.out.tfevents.1763264400.convoy": TensorBoard finds files by the beginning of their names.
[[nodiscard]] std::string event_file_name(const RunRecord& run);

// Loss and rate of each step of the first rank; loss, accuracy, throughput, shares of time and memory of each epoch.
[[nodiscard]] std::string run_events(const RunRecord& run);

}  // namespace convoy
