// A network as data: nodes in execution order, each an operator, its inputs and its inferred output shape. A graph is
// valid by construction: add() refuses what does not fit and names the node.
#pragma once

#include <string>
#include <vector>

#include "convoy/graph/operators.h"
#include "convoy/tensor/shape.h"

namespace convoy {

using NodeId = int;

struct Node {
  std::string name;  // unique in the graph, torch-like: "layer1.0.conv1"
  Operator op;
  std::vector<NodeId> inputs;
  Shape shape;  // of the output, without the batch
};

class Graph {
 public:
  // Appends a node and infers its shape. Inputs must be earlier nodes, and nothing follows a loss. An empty name
  // becomes the kind and a number ("conv3"). Throws UserError with the node's name and the shapes when they do not fit
  // or the name is taken.
  NodeId add(Operator op, std::vector<NodeId> inputs, std::string name = "");

  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  // Throws UserError when there is no such node.
  [[nodiscard]] const Node& node(NodeId id) const;
  [[nodiscard]] int size() const { return static_cast<int>(nodes_.size()); }

  // The last node added: the loss of a complete training graph. -1 while the graph is empty.
  [[nodiscard]] NodeId output() const { return size() - 1; }

  // For each node, the nodes that read it.
  [[nodiscard]] std::vector<std::vector<NodeId>> readers() const;

 private:
  std::vector<Node> nodes_;
};

}  // namespace convoy
