// The network that an import builds: its weights, and its layers, which may still change while later nodes are read.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "convoy/checkpoint/named_tensor.h"
#include "convoy/graph/graph.h"

namespace convoy {

class OnnxNetwork {
 public:
  // Raises the limit on the number of floats in all weights. More are refused: a small file can use a tensor many
  // times.
  void allow_weights(std::int64_t count) { room_ += count; }

  // Infers the shape as Graph::add does. If the name is taken, a number is added to it.
  LayerId add(Operator op, std::vector<LayerId> inputs, const std::string& name);

  [[nodiscard]] const Layer& layer(LayerId id) const { return layers_[static_cast<std::size_t>(id)]; }

  // Sets the tensor layer.ending, such as "conv1" and "weight".
  void set(LayerId id, const std::string& ending, const Shape& shape, std::vector<float> values);

  // Whether it is a convolution or a dense layer, whose weights can absorb an affine map of the outputs.
  [[nodiscard]] bool takes_affine(LayerId id) const;
  // Applies y = scale * y + shift to each of its output channels, by changing its weights.
  void apply_affine(LayerId id, const std::vector<float>& scale, const std::vector<float>& shift);

  // What a pad_channels layer that follows `id` should read: if `id` only takes every n-th pixel, the input of `id`
  // with stride n; otherwise `id` itself.
  struct Thinned {
    LayerId from;
    int stride;
  };
  [[nodiscard]] Thinned thinned(LayerId id) const;

  // The layers that `output` depends on, as a graph, and their weights.
  struct Finished {
    Graph graph;
    std::vector<NamedTensor> weights;
  };
  [[nodiscard]] Finished finish(LayerId output);

 private:
  std::vector<Layer> layers_;
  std::map<LayerId, std::map<std::string, NamedTensor>> weights_;
  std::map<std::string, int> names_;
  std::int64_t room_ = 0;
};

}  // namespace convoy
