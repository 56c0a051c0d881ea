#include "convoy/train/training_state.h"

#include <concepts>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "convoy/base/error.h"
#include "convoy/record/json_fields.h"

namespace convoy {
namespace {

// Calls visit(name, member) for each field of the current epoch, in the order of the file.
template <typename Sums, typename Visit>
requires std::same_as<std::remove_const_t<Sums>, EpochSums>
void visit_fields(Sums& epoch, Visit&& visit) {
  visit("steps", epoch.steps);
  visit("rows", epoch.metrics.samples);
  visit("right", epoch.metrics.right);
  visit("loss", epoch.metrics.loss_sum);
  visit_epoch_times(epoch.metrics.times, visit);
  visit("cpu_seconds", epoch.metrics.cpu_seconds);
  visit("learning_rate", epoch.learning_rate);
}

}  // namespace

nlohmann::ordered_json to_json(const TrainingState& state) {
  nlohmann::ordered_json epoch;
  visit_fields(state.epoch, [&](const char* name, const auto& value) { epoch[name] = value; });
  epoch["wire_bytes"] = state.epoch.metrics.wire_bytes;
  return {
      {"step", state.step},
      {"elapsed_seconds", state.elapsed_seconds},
      {"epoch", epoch},
      {"best",
       {{"epoch", state.best.epoch}, {"top1", state.best.top1}, {"evaluations_since", state.best.evaluations_since}}}};
}

TrainingState training_state_from_json(const nlohmann::ordered_json& json) {
  TrainingState state;
  try {
    read_field(json, "step", state.step);
    read_field(json, "elapsed_seconds", state.elapsed_seconds);
    const auto& epoch = json_field(json, "epoch");
    visit_fields(state.epoch, [&](const char* name, auto& value) { read_field(epoch, name, value); });
    // Checkpoints of older versions do not have it.
    if (epoch.contains("wire_bytes")) read_field(epoch, "wire_bytes", state.epoch.metrics.wire_bytes);
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
