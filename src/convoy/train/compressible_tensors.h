// Which gradients may be compressed between nodes, and how they lie in the arena.
#pragma once

#include <vector>

#include "convoy/engine/plan.h"
#include "convoy/sync/codec/compression.h"

namespace convoy {

// The weights of convolutions and dense layers that are trained, in the order of the arena. Biases, and scales and
// shifts of batch norms, are few, and an error in one is an error of a whole channel.
[[nodiscard]] std::vector<CompressibleTensor> compressible_tensors(const Plan& plan);

}  // namespace convoy
