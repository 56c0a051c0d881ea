// The learnable tensors of each layer and the running statistics of batch norm, with their plain shapes.
#pragma once

#include <string>
#include <vector>

#include "convoy/graph/graph.h"

namespace convoy {

enum class ParameterRole { weight, bias, scale, shift };

struct Parameter {
  std::string name;  // "layer1.0.conv1.weight": layer name + .weight or .bias (batch norm too, as in PyTorch)
  LayerId layer;
  ParameterRole role;
  Shape shape;  // OIHW for convolutions (I per group), OI for dense layers, C for the rest
};

// In layer order, weight before bias, scale before shift.
[[nodiscard]] std::vector<Parameter> parameters_of(const Graph& graph);
[[nodiscard]] std::vector<Parameter> parameters_of(const Graph& graph, LayerId layer);

}  // namespace convoy
