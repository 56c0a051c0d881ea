// What a planned training works with: the compiled network, its optimizer, its evaluation.
#pragma once

#include <memory>

#include "convoy/cli/training_plan.h"
#include "convoy/engine/network.h"
#include "convoy/engine/tuning_cache.h"
#include "convoy/optim/optimizer.h"
#include "convoy/sync/replica.h"
#include "convoy/train/evaluator.h"
#include "convoy/train/run_choices.h"

namespace convoy::cli {

struct TrainingParts {
  // Collective. Compiles with the first rank's choices; where it has none, with what it measured before or measures
  // now. Weights have their first values. `settings` say how many threads. `plan` and `communicator` outlive the parts.
  TrainingParts(const TrainingPlan& plan, const TrainSettings& settings, const RunChoices& choices,
                Communicator& communicator);

  // Takes the weights of --init as far as they fit, and says on stderr what did not. Throws UserError when none does.
  void start_from(const std::string& path);

  [[nodiscard]] RunChoices choices() const;

  TuningCache cache;
  Timeline timeline;
  RunChoices agreed;
  Evaluator evaluator;
  Plan compiled;  // the network's, until it has it
  std::unique_ptr<Replica> replica;
  Network network;
  std::unique_ptr<Optimizer> optimizer;
};

}  // namespace convoy::cli
