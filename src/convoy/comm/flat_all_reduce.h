// The all-reduce algorithms made of messages alone, by name.
#pragma once

#include <span>

#include "convoy/comm/algorithm.h"
#include "convoy/comm/endpoint.h"
#include "convoy/comm/pieces.h"

namespace convoy {

// Neither `mpi`, which is the library's, nor `hierarchical`, which is made of another one.
[[nodiscard]] bool is_flat(Algorithm algorithm);

// Collective: replaces the values by their sums over all ranks of `endpoint`. The algorithm is a flat one.
void flat_all_reduce(Endpoint& endpoint, std::span<float> values, Algorithm algorithm, Scratch& scratch);

}  // namespace convoy
