// What training works with.
#pragma once

#include <cstdint>
#include <functional>

#include "convoy/base/timeline.h"
#include "convoy/data/source/source.h"
#include "convoy/engine/network.h"
#include "convoy/optim/optimizer.h"
#include "convoy/sync/replica.h"
#include "convoy/train/evaluator.h"
#include "convoy/train/trainer_options.h"

namespace convoy {

// Everything must outlive the trainer.
struct TrainerParts {
  Network& network;  // compiled for rows_of_piece()
  Optimizer& optimizer;
  std::function<double(std::int64_t)> learning_rate;  // of a step, counted from 0
  const data::Source& source;
  Evaluator& evaluator;
  Replica* replica = nullptr;    // with the network's arenas; null: there is only one rank
  Timeline* timeline = nullptr;  // records what takes how long; null: nothing is recorded
};

// Throws UserError when the parts do not belong together: the network is for other images, fewer classes, smaller
// pieces or prediction only; the optimizer's arena is too small; the replica has other memory; there is no learning
// rate.
void check_parts(const TrainerParts& parts, const TrainerOptions& options);

}  // namespace convoy
