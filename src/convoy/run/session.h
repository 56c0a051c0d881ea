// What a planned training works with, wired once: the compiled network, its replica, its optimizer, its evaluation.
#pragma once

#include <memory>

#include "convoy/engine/network.h"
#include "convoy/engine/tuning_cache.h"
#include "convoy/optim/optimizer.h"
#include "convoy/run/training_plan.h"
#include "convoy/sync/replica.h"
#include "convoy/train/evaluator.h"
#include "convoy/train/run_choices.h"

namespace convoy {

struct Session {
  // Collective. Compiles with the first rank's choices; where it has none, with what it measured before or measures
  // now. Weights have their first values. `settings` say how many threads. `plan`, `communicator` and `remarks` outlive
  // the session.
  Session(const TrainingPlan& plan, const TrainSettings& settings, const RunChoices& choices,
          Communicator& communicator, const Remarks& remarks);

  // Takes the weights of --init as far as they fit, and says what did not. Throws UserError when none does.
  void start_from(const std::string& path);

  [[nodiscard]] RunChoices choices() const;

  const Remarks& remarks;
  TuningCache cache;
  Timeline timeline;
  RunChoices agreed;
  Evaluator evaluator;
  Plan compiled;  // the network's, until it has it
  std::unique_ptr<Replica> replica;
  Network network;
  std::unique_ptr<Optimizer> optimizer;
};

}  // namespace convoy
