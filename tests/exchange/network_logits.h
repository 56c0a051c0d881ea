// What a network computes with given weights; and weights for it that all differ, none of them 0 or 1, so that a tensor
// which is ignored or swapped changes the result.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "convoy/checkpoint/named_tensor.h"
#include "convoy/graph/graph.h"

namespace convoy {

// The logits of a batch of samples. A network without a loss gives its last layer's output, flattened.
[[nodiscard]] std::vector<float> logits_of(const Graph& graph, std::span<const NamedTensor> weights,
                                           std::span<const float> input);

// Values for every parameter and statistic, of sizes that keep activations in bounds.
[[nodiscard]] std::vector<NamedTensor> varied_weights(const Graph& graph);

// As many samples as asked for, one after the other.
[[nodiscard]] std::vector<float> varied_input(const Shape& shape, std::int64_t samples);

}  // namespace convoy
