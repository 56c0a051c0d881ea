// What a planned training works with, wired in one place: the network with its optimizer, and its evaluation.
#pragma once

#include <string>

#include "convoy/base/timeline.h"
#include "convoy/comm/communicator.h"
#include "convoy/engine/tuning_cache.h"
#include "convoy/run/remarks.h"
#include "convoy/run/training_plan.h"
#include "convoy/train/evaluator.h"
#include "convoy/train/replica_network.h"
#include "convoy/train/run_choices.h"

namespace convoy {

struct Session {
  // Collective. Compiles with the first rank's choices; if it has none, with those from the tuning cache or measured
  // now. Weights get their initial values. `settings` give the number of threads. `plan`, `communicator` and `remarks`
  // must outlive the session.
  Session(const TrainingPlan& plan, const TrainSettings& settings, const RunChoices& choices,
          Communicator& communicator, const Remarks& remarks);

  // Loads the weights of --init as far as they fit, and reports those that did not. Throws UserError when none fits.
  void start_from(const std::string& path);

  [[nodiscard]] RunChoices choices() const;

  const Remarks& remarks;
  TuningCache cache;
  Timeline timeline;
  RunChoices agreed;
  Evaluator evaluator;
  ReplicaNetwork trained;
};

}  // namespace convoy
