#include "convoy/train/snapshot.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>

#include "convoy/base/error.h"
#include "convoy/train/network_weights.h"
#include "convoy/train/weight_average.h"

namespace convoy {

void gather_optimizer(const Trainer& trainer) {
  const TrainerParts& parts = trainer.parts();
  if (AsyncShards* const async = parts.replica->async()) {
    for (const OptimizerState& state : parts.optimizer.state()) async->gather_to_first(state.values);
    return;
  }
  LocalSteps* const local = parts.replica->local();
  const bool alone = local != nullptr && local->has_begun();
  GradientReducer& reducer = alone ? local->reducer() : parts.replica->reducer();
  for (const OptimizerState& state : parts.optimizer.state()) reducer.gather_to_first(state.values);
  reducer.complete_parameters();
}

Checkpoint take_snapshot(const Trainer& trainer, const ModelCard& card, const std::string& data) {
  const TrainerParts& parts = trainer.parts();
  const TrainingState& state = trainer.state();
  Checkpoint checkpoint{.model = card.model,
                        .data = data,
                        .epoch = state.step / trainer.steps_per_epoch(),
                        .step = state.step,
                        .optimizer_steps = parts.optimizer.steps(),
                        .training = to_json(state),
                        .weights = export_weights(parts.network.parameters()),
                        .weights_metadata = to_metadata(card),
                        .optimizer = export_optimizer(parts.optimizer, parts.network.parameters())};
  if (WeightAverage* const average = trainer.average()) {
    std::ranges::move(average->checkpoint_tensors(), std::back_inserter(checkpoint.optimizer));
  }
  if (state.best.epoch > 0) checkpoint.best_metric = state.best.top1;
  return checkpoint;
}

void restore(const Checkpoint& checkpoint, const ModelCard& card, Trainer& trainer) {
  if (checkpoint.model != card.model) {
    throw UserError("the checkpoint is of {}, not of {}", checkpoint.model, card.model);
  }
  const TrainerParts& parts = trainer.parts();
  import_weights(checkpoint.weights, parts.network.parameters());
  import_optimizer(checkpoint.optimizer, parts.network.parameters(), parts.optimizer);
  parts.optimizer.set_steps(checkpoint.optimizer_steps);
  if (trainer.average() != nullptr) trainer.average()->restore(checkpoint.optimizer);
  trainer.set_state(training_state_from_json(checkpoint.training));
}

void share_start(Trainer& trainer) {
  const TrainerParts& parts = trainer.parts();
  Communicator& communicator = parts.replica->communicator();
  if (communicator.size() == 1) return;
  ParameterStore& store = parts.network.parameters();
  if (trainer.average() != nullptr) trainer.average()->share(communicator);
  communicator.broadcast(std::as_writable_bytes(store.parameters()));
  store.renew_copies();
  communicator.broadcast(std::as_writable_bytes(store.statistics()));
  for (const OptimizerState& state : parts.optimizer.state()) {
    communicator.broadcast(std::as_writable_bytes(state.values));
  }
  std::int64_t steps = parts.optimizer.steps();
  communicator.broadcast(std::as_writable_bytes(std::span(&steps, 1)));
  parts.optimizer.set_steps(steps);
  const std::string state = communicator.broadcast(to_json(trainer.state()).dump());
  trainer.set_state(training_state_from_json(nlohmann::ordered_json::parse(state)));
}

}  // namespace convoy
