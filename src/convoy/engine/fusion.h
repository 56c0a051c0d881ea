// Joins neighbouring layers of a graph into units that one kernel computes: convolution or dense + activation, batch
// norm (+ shortcut) (+ activation), addition + activation.
#pragma once

#include <set>
#include <vector>

#include "convoy/graph/graph.h"
#include "convoy/kernels/activation.h"

namespace convoy {

struct Unit {
  LayerId layer;                // the operator that does the work
  LayerId output;               // the last layer of the unit, whose value it computes
  std::vector<LayerId> inputs;  // the values it reads; a shortcut comes last
  kernels::Activation activation = kernels::Activation::none;
  bool shortcut = false;  // batch norm: inputs[1] is added before the activation
};

// The units in execution order; every layer of the graph is in exactly one unit. Two layers are joined only if nothing
// else reads the value between them and it is not `kept`. With `fuse` false every unit is one layer, for comparison.
[[nodiscard]] std::vector<Unit> make_units(const Graph& graph, bool fuse = true, const std::set<LayerId>& kept = {});

}  // namespace convoy
