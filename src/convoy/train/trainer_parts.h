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

// All of it outlives the trainer.
struct TrainerParts {
  Network& network;  // compiled for rows_of_piece()
  Optimizer& optimizer;
  std::function<double(std::int64_t)> learning_rate;  // of a step, counted from 0
  const data::Source& source;
  Evaluator& evaluator;
  Replica* replica = nullptr;    // with the network's arenas; null: training is alone
  Timeline* timeline = nullptr;  // told what takes how long; null: nobody wants to know
};

// Throws UserError when they do not belong together: a network for other images, fewer classes, smaller pieces of a
// batch or prediction only; an optimizer of a smaller arena; a replica of other memory; no learning rate.
void check_parts(const TrainerParts& parts, const TrainerOptions& options);

}  // namespace convoy
