// Where training is: all that a checkpoint keeps beside parameters and the optimizer's memory.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "convoy/record/step_metrics.h"
#include "convoy/train/stop_policy.h"

namespace convoy {

// What has come together in the running epoch.
struct EpochSums {
  std::int64_t steps = 0;
  StepMetrics metrics;       // of all ranks; of the times, checkpoints keep those of visit_epoch_times()
  double learning_rate = 0;  // of the last step
};

struct TrainingState {
  std::int64_t step = 0;  // steps taken, over all epochs
  EpochSums epoch;
  BestEpoch best;
  double elapsed_seconds = 0;  // over all sittings
};

[[nodiscard]] nlohmann::ordered_json to_json(const TrainingState& state);

// Throws DataError naming the field that is missing or wrong.
[[nodiscard]] TrainingState training_state_from_json(const nlohmann::ordered_json& json);

}  // namespace convoy
