// Adasum: combines gradients depending on how much they agree, for batches too large to average (Maleki et al., 2020).
//
// Two parties' gradients a and b of a tensor become
//
//   (1 - a.b / (2 |a|^2)) a + (1 - a.b / (2 |b|^2)) b
//
// This is their sum where they are orthogonal, as if the steps were taken one after the other, and their mean where
// they are equal. More than two are combined in pairs, then pairs of pairs, and so on. With p the largest power of two
// not above the number of parties, parties from p on are first combined with the first ones, and get the result at the
// end.
//
// A party sends all its values about log2(p) times; those from p on send and receive them once.
#pragma once

#include <span>
#include <vector>

#include "convoy/comm/endpoint.h"

namespace convoy {

// Collective: combines the values of all parties by Adasum; all get the same bits. `ends` says where each tensor ends
// in the values, ascending; the last one ends with the values. `scratch` is memory that is kept for the next call.
void adasum_all_reduce(Endpoint& parties, std::span<float> values, std::span<const std::size_t> ends,
                       std::vector<float>& scratch);

}  // namespace convoy
