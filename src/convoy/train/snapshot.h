// A training as a checkpoint, and a checkpoint as a training that goes on.
#pragma once

#include <string>

#include "convoy/checkpoint/checkpoint.h"
#include "convoy/train/model_card.h"
#include "convoy/train/trainer.h"

namespace convoy {

// Collective: gives the first rank, of each group where groups train alone, what the others' optimizers remember and
// the exact parameters that others have updated, for a snapshot.
void gather_optimizer(const Trainer& trainer);

// `data` is what the user calls it. Of several ranks, on the first.
[[nodiscard]] Checkpoint take_snapshot(const Trainer& trainer, const ModelCard& card, const std::string& data);

// Sets parameters, statistics, the optimizer's memory and the state. Throws DataError or UserError when the checkpoint
// is of another network or optimizer, and leaves a trainer that must not be used.
void restore(const Checkpoint& checkpoint, const ModelCard& card, Trainer& trainer);

// Collective: all ranks start from the first one's parameters, statistics, optimizer's memory and state.
void share_start(Trainer& trainer);

}  // namespace convoy
