// All-reduce around a ring.
#pragma once

#include <span>

#include "convoy/comm/chunks.h"
#include "convoy/comm/endpoint.h"

namespace convoy {

// The values are cut into as many slices as there are ranks. First each slice travels once around the ring, and every
// rank adds its own values to it; it ends, complete, at the rank before the one it started from. Then the complete
// slices travel around once more. Every rank sends 2(n-1) slices, all of them to the next rank.
//
// Slice i is summed in the order of the ring, starting at rank i.
void ring_all_reduce(Endpoint& endpoint, std::span<float> values, Scratch& scratch);

// Only the first half: afterwards this rank has the sums of one slice, ring_slice(), and nothing useful elsewhere.
void ring_reduce_scatter(Endpoint& endpoint, std::span<float> values, Scratch& scratch);
// The slice whose sums a rank has after the first half. `rank` may be as low as -`ranks`, so that callers can count
// backwards around the ring.
[[nodiscard]] std::span<float> ring_slice(std::span<float> values, int ranks, int rank);

}  // namespace convoy
