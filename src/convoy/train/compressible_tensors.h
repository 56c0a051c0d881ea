// Finds out which gradients may be compressed between nodes, and where their elements are in the arena.
#pragma once

#include <vector>

#include "convoy/engine/plan.h"
#include "convoy/sync/codec/compression.h"

namespace convoy {

// The trained weights of convolutions and dense layers, in the order of the arena. Biases, and scales and shifts of
// batch norms, are few, and an error in one of them affects a whole channel.
[[nodiscard]] std::vector<CompressibleTensor> compressible_tensors(const Plan& plan);

}  // namespace convoy
