// A network as data: layers in execution order, each an operator, its inputs and its inferred output shape. A graph is
// valid by construction: add() refuses a layer that does not fit, with its name.
#pragma once

#include <string>
#include <vector>

#include "convoy/graph/operators.h"
#include "convoy/tensor/shape.h"

namespace convoy {

using LayerId = int;

struct Layer {
  std::string name;  // unique in the graph, in the style of PyTorch: "layer1.0.conv1"
  Operator op;
  std::vector<LayerId> inputs;
  Shape shape;  // of the output, without the batch
};

class Graph {
 public:
  // Appends a layer and infers its shape. Inputs must be earlier layers, and no layer may follow a loss. An empty name
  // becomes the kind and a number ("conv3"). Throws UserError with the layer's name and the shapes when they do not fit
  // or the name is taken.
  LayerId add(Operator op, std::vector<LayerId> inputs, std::string name = "");

  [[nodiscard]] const std::vector<Layer>& layers() const { return layers_; }
  // Throws UserError when there is no such layer.
  [[nodiscard]] const Layer& layer(LayerId id) const;
  [[nodiscard]] int size() const { return static_cast<int>(layers_.size()); }

  // The last layer added: the loss of a complete training graph. -1 while the graph is empty.
  [[nodiscard]] LayerId output() const { return size() - 1; }

  // For each layer, the layers that read it.
  [[nodiscard]] std::vector<std::vector<LayerId>> readers() const;

 private:
  std::vector<Layer> layers_;
};

}  // namespace convoy
