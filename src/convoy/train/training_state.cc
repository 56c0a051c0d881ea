#include "convoy/train/training_state.h"

#include <nlohmann/json.hpp>

#include "convoy/base/error.h"
#include "convoy/record/json_fields.h"

namespace convoy {

nlohmann::ordered_json to_json(const TrainingState& state) {
  const EpochSums& epoch = state.epoch;
  return {
      {"step", state.step},
      {"elapsed_seconds", state.elapsed_seconds},
      {"epoch",
       {{"steps", epoch.steps},
        {"rows", epoch.rows},
        {"right", epoch.right},
        {"loss", epoch.loss},
        {"seconds", epoch.seconds},
        {"compute_seconds", epoch.compute_seconds},
        {"input_wait_seconds", epoch.input_wait_seconds},
        {"exposed_communication_seconds", epoch.exposed_communication_seconds},
        {"cpu_seconds", epoch.cpu_seconds},
        {"learning_rate", epoch.learning_rate}}},
      {"best",
       {{"epoch", state.best.epoch}, {"top1", state.best.top1}, {"evaluations_since", state.best.evaluations_since}}}};
}

TrainingState training_state_from_json(const nlohmann::ordered_json& json) {
  TrainingState state;
  try {
    read_field(json, "step", state.step);
    read_field(json, "elapsed_seconds", state.elapsed_seconds);
    const auto& epoch = json_field(json, "epoch");
    read_field(epoch, "steps", state.epoch.steps);
    read_field(epoch, "rows", state.epoch.rows);
    read_field(epoch, "right", state.epoch.right);
    read_field(epoch, "loss", state.epoch.loss);
    read_field(epoch, "seconds", state.epoch.seconds);
    read_field(epoch, "compute_seconds", state.epoch.compute_seconds);
    read_field(epoch, "input_wait_seconds", state.epoch.input_wait_seconds);
    read_field(epoch, "exposed_communication_seconds", state.epoch.exposed_communication_seconds);
    read_field(epoch, "cpu_seconds", state.epoch.cpu_seconds);
    read_field(epoch, "learning_rate", state.epoch.learning_rate);
    const auto& best = json_field(json, "best");
    read_field(best, "epoch", state.best.epoch);
    read_field(best, "top1", state.best.top1);
    read_field(best, "evaluations_since", state.best.evaluations_since);
  } catch (const DataError& error) {
    throw DataError(
        "the training state of the checkpoint is not understood, it may be of another version of Convoy: {}",
        error.what());
  }
  return state;
}

}  // namespace convoy
