// All-reduce by Rabenseifner's algorithm: recursive halving, then recursive doubling.
#pragma once

#include <span>

#include "convoy/comm/chunks.h"
#include "convoy/comm/endpoint.h"

namespace convoy {

// The values are cut into as many slices as there are ranks. Halving: in the round of distance d = n/2, n/4, ..., 1
// each rank sends the half that its partner keeps and adds what it receives to the half that it keeps itself, until it
// holds one complete slice. Doubling: the same rounds backwards; partners give each other all complete slices they
// have. The traffic is that of a ring, in 2 log2(n) messages. Rank counts that are not a power of two are folded
// (fold.h).
void rabenseifner_all_reduce(Endpoint& endpoint, std::span<float> values, Scratch& scratch);

}  // namespace convoy
