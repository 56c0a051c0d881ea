// Adasum: gradients combined by what they have in common, for batches too large to average (Maleki et al., 2020).
//
// Two parties' gradients a and b of a tensor become
//
//   (1 - a.b / (2 |a|^2)) a + (1 - a.b / (2 |b|^2)) b
//
// which is their sum where they are at right angles, as of steps taken one after the other, and their mean where they
// are equal. More than two are combined in pairs, then pairs of pairs. Parties beyond a power of two are combined with
// the first ones before that, and get the result in the end.
//
// A party sends all its values ceil(log2(n)) times; those beyond the power of two send and get them once.
#pragma once

#include <span>
#include <vector>

#include "convoy/comm/endpoint.h"

namespace convoy {

// Collective: the values of all parties become what Adasum makes of them, with the same bits everywhere. `ends` are
// where the tensors end in them, ascending, the last with the values. `scratch` is kept for the next call.
void adasum_all_reduce(Endpoint& parties, std::span<float> values, std::span<const std::size_t> ends,
                       std::vector<float>& scratch);

}  // namespace convoy
