// How far training is: everything that a checkpoint saves besides parameters and the optimizer's state.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "convoy/record/step_metrics.h"
#include "convoy/train/stop_policy.h"

namespace convoy {

// The sums of the current epoch so far.
struct EpochSums {
  std::int64_t steps = 0;
  StepMetrics metrics;       // of all ranks; of the times, checkpoints save those of visit_epoch_times()
  double learning_rate = 0;  // of the last step
};

struct TrainingState {
  std::int64_t step = 0;  // how many were taken, over all epochs
  EpochSums epoch;
  BestEpoch best;
  double elapsed_seconds = 0;  // over all sittings (see RunInfo)
};

[[nodiscard]] nlohmann::ordered_json to_json(const TrainingState& state);

// Throws DataError that names the field that is missing or wrong.
[[nodiscard]] TrainingState training_state_from_json(const nlohmann::ordered_json& json);

}  // namespace convoy
