// What a planned training works with: the compiled network, its optimizer, its evaluation.
#pragma once

#include <memory>

#include "convoy/cli/training_plan.h"
#include "convoy/engine/network.h"
#include "convoy/engine/tuning_cache.h"
#include "convoy/optim/optimizer.h"
#include "convoy/train/evaluator.h"
#include "convoy/train/run_choices.h"

namespace convoy::cli {

struct TrainingParts {
  // Compiles with these choices; where there are none, with what was measured before or is measured now. Weights have
  // their first values. `plan` outlives the parts.
  TrainingParts(const TrainingPlan& plan, const TrainSettings& settings, const RunChoices& choices);

  // Takes the weights of --init as far as they fit, and says on stderr what did not. Throws UserError when none does.
  void start_from(const std::string& path);

  [[nodiscard]] RunChoices choices() const;

  TuningCache cache;
  Network network;
  Evaluator evaluator;
  std::unique_ptr<Optimizer> optimizer;
};

}  // namespace convoy::cli
