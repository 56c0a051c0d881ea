// The all-reduce algorithms made of messages alone, by name.
#pragma once

#include <cstddef>
#include <span>

#include "convoy/comm/algorithm.h"
#include "convoy/comm/chunks.h"
#include "convoy/comm/endpoint.h"

namespace convoy {

// Neither `mpi`, which is the library's, nor `hierarchical` and `automatic`, which are made of others.
[[nodiscard]] bool is_flat(Algorithm algorithm);

// The flat one for messages of this size between so many ranks, where nothing was measured: few messages for short
// ones, little traffic for long ones.
[[nodiscard]] Algorithm usual_algorithm(int ranks, std::size_t bytes);

// Collective: replaces the values by their sums over all ranks of `endpoint`. The algorithm is a flat one.
void flat_all_reduce(Endpoint& endpoint, std::span<float> values, Algorithm algorithm, Scratch& scratch);

}  // namespace convoy
