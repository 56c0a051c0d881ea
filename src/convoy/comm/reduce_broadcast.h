// All-reduce through one rank.
#pragma once

#include <span>

#include "convoy/comm/chunks.h"
#include "convoy/comm/endpoint.h"

namespace convoy {

// Every rank sends its values to rank 0, which adds them in the order of ranks and sends the result back to each. This
// is what a parameter server does, and a baseline for the others: all traffic goes through rank 0.
void reduce_broadcast_all_reduce(Endpoint& endpoint, std::span<float> values, Scratch& scratch);

}  // namespace convoy
