// What the compression of gradients remembers, in checkpoints.
//
// "error.2/conv1.weight" is what node 2 still owes to the sums of that parameter's gradients: each node owes something
// else. "factor/conv1.weight" is where powersgd goes on, the same on all nodes.
#pragma once

#include <span>
#include <vector>

#include "convoy/checkpoint/named_tensor.h"
#include "convoy/train/trainer.h"

namespace convoy {

// Collective, between steps: all of it on the first rank, nothing on the others. Nothing where nothing is compressed.
[[nodiscard]] std::vector<NamedTensor> gather_compression(const Trainer& trainer);

// Collective: gives every node its own again. Where there are more or fewer nodes than when it was gathered, what all
// owed together is shared equally. `tensors` may hold others too, and matter on the first rank only.
void share_compression(std::span<const NamedTensor> tensors, Trainer& trainer);

}  // namespace convoy
