#include "convoy/train/snapshot.h"

#include "convoy/base/error.h"
#include "convoy/train/network_weights.h"

namespace convoy {

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
  trainer.set_state(training_state_from_json(checkpoint.training));
}

}  // namespace convoy
