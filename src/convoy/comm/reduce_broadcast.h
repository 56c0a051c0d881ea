// All-reduce through one rank.
#pragma once

#include <span>

#include "convoy/comm/chunks.h"
#include "convoy/comm/endpoint.h"

namespace convoy {

// Every rank sends its values to rank 0, which adds them in the order of ranks and sends the result back to each. What
// a parameter server does, and what the others are to be compared with: all traffic goes through rank 0.
void reduce_broadcast_all_reduce(Endpoint& endpoint, std::span<float> values, Scratch& scratch);

}  // namespace convoy
