// Saves in checkpoints what differs between groups of ranks that train alone between averages.
//
// The first group's model and optimizer are those of the checkpoint itself. "group.2/velocity/conv1.weight" is what the
// optimizer of group 2 remembers; within a block there are also "group.2/conv1.weight" and "group.2/statistics".
// "block/conv1.weight" is the model after the last block and "block.change/conv1.weight" its last change, if there is a
// block rate or momentum.
#pragma once

#include <span>
#include <vector>

#include "convoy/checkpoint/named_tensor.h"
#include "convoy/train/trainer.h"

namespace convoy {

// Collective, between steps and after gather_optimizer(): returns everything on the first rank and nothing on the
// others. Empty if no step was taken alone yet.
[[nodiscard]] std::vector<NamedTensor> gather_groups(const Trainer& trainer);

// Collective, after share_start(): gives every group its own state again. If the number of groups has changed, all
// begin with the mean. `tensors` may contain others too, and is only used on the first rank.
void share_groups(std::span<const NamedTensor> tensors, Trainer& trainer);

}  // namespace convoy
