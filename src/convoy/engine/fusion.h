// Joins neighbouring nodes of a graph into units that one kernel computes: convolution or dense + activation, batch
// norm
// (+ shortcut) (+ activation), addition + activation.
#pragma once

#include <vector>

#include "convoy/graph/graph.h"
#include "convoy/kernels/activation.h"

namespace convoy {

struct Unit {
  NodeId node;                 // the operator that does the work
  NodeId output;               // the last node it stands for: whose value it computes
  std::vector<NodeId> inputs;  // the values it reads, a shortcut last
  kernels::Activation activation = kernels::Activation::none;
  bool shortcut = false;  // batch norm: inputs[1] is added before the activation
};

// In execution order; every node of the graph is in exactly one unit. Two nodes are joined only when nothing else reads
// the value between them. With `fuse` false every unit is one node, for comparison.
[[nodiscard]] std::vector<Unit> make_units(const Graph& graph, bool fuse = true);

}  // namespace convoy
