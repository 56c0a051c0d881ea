// Saves in checkpoints what the compression of gradients remembers.
//
// "error.2/conv1.weight" is what node 2 has not sent yet of that parameter's gradients; it differs from node to node.
// "factor/conv1.weight" is the factor from which powersgd continues; it is the same on all nodes.
#pragma once

#include <span>
#include <vector>

#include "convoy/checkpoint/named_tensor.h"
#include "convoy/train/trainer.h"

namespace convoy {

// Collective, between steps: returns everything on the first rank and nothing on the others. Empty if nothing is
// compressed.
[[nodiscard]] std::vector<NamedTensor> gather_compression(const Trainer& trainer);

// Collective: gives every node its own error again. If the number of nodes has changed, the sum of all errors is
// divided equally among them. `tensors` may contain others too, and is only used on the first rank.
void share_compression(std::span<const NamedTensor> tensors, Trainer& trainer);

}  // namespace convoy
