// The all-reduce algorithms that consist of messages alone, by name.
#pragma once

#include <cstddef>
#include <span>

#include "convoy/comm/algorithm.h"
#include "convoy/comm/chunks.h"
#include "convoy/comm/endpoint.h"

namespace convoy {

// False for `mpi`, which is the library's, and for `hierarchical` and `automatic`, which use others.
[[nodiscard]] bool is_flat(Algorithm algorithm);

// The flat algorithm for messages of this size between this many ranks when nothing was measured: few messages for
// short ones, little traffic for long ones.
[[nodiscard]] Algorithm usual_algorithm(int ranks, std::size_t bytes);

// Collective: replaces the values by their sums over all ranks of `endpoint`. The algorithm must be flat.
void flat_all_reduce(Endpoint& endpoint, std::span<float> values, Algorithm algorithm, Scratch& scratch);

}  // namespace convoy
