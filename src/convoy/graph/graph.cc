#include "convoy/graph/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/graph/operators.h"

namespace convoy {
namespace {

bool taken(const std::vector<Layer>& layers, const std::string& name) {
  return std::any_of(layers.begin(), layers.end(), [&](const Layer& layer) { return layer.name == name; });
}

// The kind and the next number: "conv3". Numbers that a user has taken are skipped.
std::string fresh_name(const std::vector<Layer>& layers, const Operator& op) {
  auto number = 1 + std::count_if(layers.begin(), layers.end(),
                                  [&](const Layer& layer) { return layer.op.index() == op.index(); });
  std::string name = fmt::format("{}{}", kind_of(op), number);
  while (taken(layers, name)) {
    name = fmt::format("{}{}", kind_of(op), ++number);
  }
  return name;
}

// The name given in the attributes; an input has none.
std::string attribute_name(const Operator& op) {
  return std::visit(
      [](const auto& attributes) -> std::string {
        if constexpr (requires { attributes.name; }) {
          return attributes.name;
        } else {
          return {};
        }
      },
      op);
}

}  // namespace

LayerId Graph::add(Operator op, std::vector<LayerId> inputs, std::string name) {
  if (name.empty()) {
    name = attribute_name(op);
  }
  if (name.empty()) {
    name = fresh_name(layers_, op);
  }
  if (taken(layers_, name)) {
    throw UserError("layer \"{}\": the name is taken; names must be unique in a graph", name);
  }
  if (std::holds_alternative<op::Input>(op) != layers_.empty()) {
    throw UserError("layer \"{}\": a graph starts with its input and has only one", name);
  }
  std::vector<Shape> shapes;
  for (const LayerId id : inputs) {
    if (id < 0 || id >= size()) {
      throw UserError("layer \"{}\": reads layer {}, which does not exist yet", name, id);
    }
    if (is_loss(layer(id).op)) {
      throw UserError(R"(layer "{}": reads the loss "{}")", name, layer(id).name);
    }
    shapes.push_back(layer(id).shape);
  }
  if (!layers_.empty() && is_loss(layers_.back().op)) {
    throw UserError(R"(layer "{}": the loss "{}" ends the graph, nothing can follow it)", name, layers_.back().name);
  }
  Shape shape = infer_shape(op, shapes, name);
  layers_.push_back({std::move(name), std::move(op), std::move(inputs), std::move(shape)});
  return output();
}

const Layer& Graph::layer(LayerId id) const {
  if (id < 0 || id >= size()) throw UserError("the graph has {} layers, there is no layer {}", size(), id);
  return layers_[static_cast<std::size_t>(id)];
}

std::vector<std::vector<LayerId>> Graph::readers() const {
  std::vector<std::vector<LayerId>> readers(layers_.size());
  for (LayerId id = 0; id < size(); ++id) {
    for (const LayerId input : layer(id).inputs) {
      readers[input].push_back(id);
    }
  }
  return readers;
}

}  // namespace convoy
