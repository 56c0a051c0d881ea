// Converts the state of a training to a checkpoint and back.
#pragma once

#include <string>

#include "convoy/checkpoint/checkpoint.h"
#include "convoy/train/model_card.h"
#include "convoy/train/trainer.h"

namespace convoy {

// Collective: gives the first rank (of each group, where groups train alone) the parts of the optimizer's state that
// other ranks have, and the exact parameters that others update, for a snapshot.
void gather_optimizer(const Trainer& trainer);

// `data` is the user's name for the data. With several ranks, called on the first.
[[nodiscard]] Checkpoint take_snapshot(const Trainer& trainer, const ModelCard& card, const std::string& data);

// Sets parameters, statistics, the optimizer's state and the training state. Throws DataError or UserError when the
// checkpoint belongs to another network or optimizer; the trainer must not be used then.
void restore(const Checkpoint& checkpoint, const ModelCard& card, Trainer& trainer);

// Collective: all ranks start from the first one's parameters, statistics, optimizer's state and training state.
void share_start(Trainer& trainer);

}  // namespace convoy
