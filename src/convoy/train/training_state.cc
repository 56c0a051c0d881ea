#include "convoy/train/training_state.h"

#include <nlohmann/json.hpp>

#include "convoy/base/error.h"

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
    json.at("step").get_to(state.step);
    json.at("elapsed_seconds").get_to(state.elapsed_seconds);
    const auto& epoch = json.at("epoch");
    epoch.at("steps").get_to(state.epoch.steps);
    epoch.at("rows").get_to(state.epoch.rows);
    epoch.at("right").get_to(state.epoch.right);
    epoch.at("loss").get_to(state.epoch.loss);
    epoch.at("seconds").get_to(state.epoch.seconds);
    epoch.at("compute_seconds").get_to(state.epoch.compute_seconds);
    epoch.at("input_wait_seconds").get_to(state.epoch.input_wait_seconds);
    epoch.at("exposed_communication_seconds").get_to(state.epoch.exposed_communication_seconds);
    epoch.at("cpu_seconds").get_to(state.epoch.cpu_seconds);
    epoch.at("learning_rate").get_to(state.epoch.learning_rate);
    const auto& best = json.at("best");
    best.at("epoch").get_to(state.best.epoch);
    best.at("top1").get_to(state.best.top1);
    best.at("evaluations_since").get_to(state.best.evaluations_since);
  } catch (const nlohmann::json::exception&) {
    throw DataError("the training state of the checkpoint is not understood: it is of another version of Convoy");
  }
  return state;
}

}  // namespace convoy
