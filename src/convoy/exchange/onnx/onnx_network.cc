#include "convoy/exchange/onnx/onnx_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "convoy/base/error.h"
#include "convoy/graph/parameters.h"

namespace convoy {
namespace {

// The same limit as for a network written as text.
constexpr std::size_t kMostImportedLayers = 10'000;

// Names are used in TOML text and in file names, so paths of nodes become dotted names.
std::string plain_name(const std::string& name) {
  std::string plain;
  for (const char c : name) {
    if (c == '/' || c == ':') {
      if (!plain.empty() && plain.back() != '.') plain += '.';
    } else if (static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) < 0x7F) {
      plain += c;
    }
  }
  while (!plain.empty() && plain.back() == '.') plain.pop_back();
  return plain.substr(0, 200);
}

std::vector<float>& floats_in(NamedTensor& tensor) { return std::get<std::vector<float>>(tensor.values); }

}  // namespace

LayerId OnnxNetwork::add(Operator op, std::vector<LayerId> inputs, const std::string& name) {
  if (layers_.size() > kMostImportedLayers) throw UserError("the network has more than {} layers", kMostImportedLayers);
  std::string plain = plain_name(name);
  if (plain.empty()) plain = kind_of(op);
  std::string unique = plain;
  while (names_.contains(unique)) unique = fmt::format("{}_{}", plain, ++names_[plain]);
  names_[unique] = 1;
  std::vector<Shape> shapes;
  for (const LayerId input : inputs) shapes.push_back(layer(input).shape);
  Shape shape = infer_shape(op, shapes, unique);
  layers_.push_back({std::move(unique), std::move(op), std::move(inputs), std::move(shape)});
  return static_cast<LayerId>(layers_.size()) - 1;
}

void OnnxNetwork::set(LayerId id, const std::string& ending, const Shape& shape, std::vector<float> values) {
  room_ -= static_cast<std::int64_t>(values.size());
  if (room_ < 0) throw DataError("its nodes name more weights than a file of this size holds");
  weights_[id][ending] = {layer(id).name + "." + ending, shape, std::move(values)};
}

bool OnnxNetwork::takes_affine(LayerId id) const {
  const Operator& op = layer(id).op;
  return std::holds_alternative<op::Convolution>(op) || std::holds_alternative<op::Dense>(op) ||
         std::holds_alternative<op::GroupNorm>(op);
}

void OnnxNetwork::apply_affine(LayerId id, const std::vector<float>& scale, const std::vector<float>& shift) {
  std::map<std::string, NamedTensor>& tensors = weights_.at(id);
  const std::size_t channels = scale.size();
  if (!tensors.contains("bias")) {
    std::visit(
        [](auto& op) {
          if constexpr (requires { op.bias; }) op.bias = true;
        },
        layers_[static_cast<std::size_t>(id)].op);
    set(id, "bias", {static_cast<std::int64_t>(channels)}, std::vector<float>(channels, 0));
  }
  std::vector<float>& weights = floats_in(tensors.at("weight"));
  std::vector<float>& biases = floats_in(tensors.at("bias"));
  const std::size_t each = weights.size() / channels;
  for (std::size_t c = 0; c < channels; ++c) {
    for (std::size_t i = c * each; i < (c + 1) * each; ++i) weights[i] *= scale[c];
    biases[c] = biases[c] * scale[c] + shift[c];
  }
}

OnnxNetwork::Thinned OnnxNetwork::thinned(LayerId id) const {
  const auto* const pool = std::get_if<op::MaxPool>(&layer(id).op);
  const bool thins = pool != nullptr && pool->kernel == Extent(1) && pool->pad == Padding(0) && !pool->ceil &&
                     pool->stride.h == pool->stride.w;
  return thins ? Thinned{layer(id).inputs[0], pool->stride.h} : Thinned{id, 1};
}

OnnxNetwork::Finished OnnxNetwork::finish(LayerId output) {
  std::vector<bool> needed(layers_.size(), false);
  needed[0] = needed[static_cast<std::size_t>(output)] = true;
  for (LayerId id = output; id > 0; --id) {
    if (!needed[static_cast<std::size_t>(id)]) continue;
    for (const LayerId input : layer(id).inputs) needed[static_cast<std::size_t>(input)] = true;
  }
  Finished finished;
  std::vector<LayerId> renumbered(layers_.size(), -1);
  for (LayerId id = 0; id <= output; ++id) {
    if (!needed[static_cast<std::size_t>(id)]) continue;
    std::vector<LayerId> inputs;
    for (const LayerId input : layer(id).inputs) inputs.push_back(renumbered[static_cast<std::size_t>(input)]);
    renumbered[static_cast<std::size_t>(id)] = finished.graph.add(layer(id).op, std::move(inputs), layer(id).name);
    const auto own = weights_.find(id);
    if (own == weights_.end()) continue;
    for (const char* const ending : {"weight", "bias", "running_mean", "running_var"}) {
      const auto tensor = own->second.find(ending);
      if (tensor != own->second.end()) finished.weights.push_back(std::move(tensor->second));
    }
  }
  return finished;
}

}  // namespace convoy
