// What a network computes with given weights, and weights that leave nothing to chance: none is zero or one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "convoy/checkpoint/named_tensor.h"
#include "convoy/graph/graph.h"

namespace convoy {

// Of a batch of samples. A network without a loss gives its last layer's output, flattened.
[[nodiscard]] std::vector<float> logits_of(const Graph& graph, std::span<const NamedTensor> weights,
                                           std::span<const float> input);

// For every parameter and statistic, of sizes that keep activations in bounds.
[[nodiscard]] std::vector<NamedTensor> varied_weights(const Graph& graph);

// So many samples, one after the other.
[[nodiscard]] std::vector<float> varied_input(const Shape& shape, std::int64_t samples);

}  // namespace convoy
