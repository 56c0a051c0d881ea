// The network that an import builds: layers that may still change while later nodes are read, and their weights.
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
  // Weights beyond what was allowed, in floats, are refused: a small file can name a tensor many times.
  void allow_weights(std::int64_t count) { room_ += count; }

  // Infers the shape as Graph::add does. A name that is taken gets a number.
  LayerId add(Operator op, std::vector<LayerId> inputs, const std::string& name);

  [[nodiscard]] const Layer& layer(LayerId id) const { return layers_[static_cast<std::size_t>(id)]; }

  // The tensor layer.ending ("conv1" and "weight").
  void set(LayerId id, const std::string& ending, const Shape& shape, std::vector<float> values);

  // Whether it is a convolution or a dense layer, whose outputs an affine map can become part of.
  [[nodiscard]] bool takes_affine(LayerId id) const;
  // y = scale * y + shift for each of its output channels.
  void apply_affine(LayerId id, const std::vector<float>& scale, const std::vector<float>& shift);

  // What a pad_channels of `out` channels reads: where `id` only takes every n-th pixel, what that reads, with n.
  struct Thinned {
    LayerId from;
    int stride;
  };
  [[nodiscard]] Thinned thinned(LayerId id) const;

  // The layers that `output` depends on, as a graph, with their weights.
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
