// Initial values of parameters. They depend only on the seed and the parameter's name, never on the order in which
// parameters are filled or on how many there are.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "convoy/graph/graph.h"
#include "convoy/graph/parameters.h"

namespace convoy {

// How weights are initialised; fan_in is the number of inputs that one output sums over. Biases and shifts start at
// zero and scales at one, except where noted below.
enum class Initialiser {
  he_normal,        // He et al. 2015: normal, deviation sqrt(2 / fan_in)
  xavier_uniform,   // Glorot and Bengio 2010: uniform within +-sqrt(6 / (fan_in + fan_out))
  lecun_normal,     // LeCun et al. 1998: normal, deviation sqrt(1 / fan_in)
  pytorch_uniform,  // PyTorch's default: weights and biases uniform within +-1 / sqrt(fan_in)
  gaussian,         // Caffe's usual filler: normal, deviation 0.01 for every layer
};

// "he-normal", "xavier-uniform", "lecun-normal", "pytorch-uniform", "gaussian": the names users write.
[[nodiscard]] const std::vector<std::string>& initialiser_names();
// Throws UserError that lists the names when `name` is none of them.
[[nodiscard]] Initialiser initialiser_named(std::string_view name);

// Fills `plain` (the parameter in its plain layout). Throws UserError unless it has parameter.shape.count() values.
void initialise(const Parameter& parameter, const Graph& graph, Initialiser kind, std::uint64_t seed,
                std::span<float> plain);

}  // namespace convoy
