// What groups of ranks that train alone between averages have of their own, in checkpoints.
//
// The first group's model and optimizer are those of the checkpoint itself. "group.2/velocity/conv1.weight" is what the
// optimizer of group 2 remembers; within a block there are "group.2/conv1.weight" and "group.2/statistics" too.
// "block/conv1.weight" is the model after the last block and "block.change/conv1.weight" its last change, where a block
// rate or momentum makes them matter.
#pragma once

#include <span>
#include <vector>

#include "convoy/checkpoint/named_tensor.h"
#include "convoy/train/trainer.h"

namespace convoy {

// Collective, between steps and after gather_optimizer(): all of it on the first rank, nothing on the others. Nothing
// where no step was alone yet.
[[nodiscard]] std::vector<NamedTensor> gather_groups(const Trainer& trainer);

// Collective, after share_start(): gives every group its own again. Where there are more or fewer groups than when it
// was gathered, all begin with the mean. `tensors` may hold others too, and matter on the first rank only.
void share_groups(std::span<const NamedTensor> tensors, Trainer& trainer);

}  // namespace convoy
