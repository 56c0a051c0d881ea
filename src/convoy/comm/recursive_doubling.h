// All-reduce by recursive doubling.
#pragma once

#include <span>

#include "convoy/comm/chunks.h"
#include "convoy/comm/endpoint.h"

namespace convoy {

// In the round of distance d = 1, 2, 4, ... each rank exchanges all its sums with the rank whose number differs in that
// bit, and both add: log2(n) rounds of the full length. Rank counts that are not a power of two are folded (fold.h).
//
// Both partners add the same two numbers, and a + b has the same bits as b + a, so all ranks hold the same bits.
void recursive_doubling_all_reduce(Endpoint& endpoint, std::span<float> values, Scratch& scratch);

}  // namespace convoy
