#include "convoy/graph/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/graph/operators.h"

namespace convoy {
namespace {

bool taken(const std::vector<Node>& nodes, const std::string& name) {
  return std::any_of(nodes.begin(), nodes.end(), [&](const Node& node) { return node.name == name; });
}

// The kind and the next number: "conv3". Goes on counting where a user took that name.
std::string fresh_name(const std::vector<Node>& nodes, const Operator& op) {
  auto number =
      1 + std::count_if(nodes.begin(), nodes.end(), [&](const Node& node) { return node.op.index() == op.index(); });
  std::string name = fmt::format("{}{}", kind_of(op), number);
  while (taken(nodes, name)) {
    name = fmt::format("{}{}", kind_of(op), ++number);
  }
  return name;
}

// The name written in the attributes; an input has none.
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

NodeId Graph::add(Operator op, std::vector<NodeId> inputs, std::string name) {
  if (name.empty()) {
    name = attribute_name(op);
  }
  if (name.empty()) {
    name = fresh_name(nodes_, op);
  }
  if (taken(nodes_, name)) {
    throw UserError("layer \"{}\": the name is taken; names must be unique in a graph", name);
  }
  if (std::holds_alternative<op::Input>(op) != nodes_.empty()) {
    throw UserError("layer \"{}\": a graph starts with its input and has only one", name);
  }
  std::vector<Shape> shapes;
  for (const NodeId id : inputs) {
    if (id < 0 || id >= size()) {
      throw UserError("layer \"{}\": reads node {}, which does not exist yet", name, id);
    }
    if (is_loss(node(id).op)) {
      throw UserError(R"(layer "{}": reads the loss "{}")", name, node(id).name);
    }
    shapes.push_back(node(id).shape);
  }
  if (!nodes_.empty() && is_loss(nodes_.back().op)) {
    throw UserError(R"(layer "{}": the loss "{}" ends the graph, nothing can follow it)", name, nodes_.back().name);
  }
  Shape shape = infer_shape(op, shapes, name);
  nodes_.push_back({std::move(name), std::move(op), std::move(inputs), std::move(shape)});
  return output();
}

const Node& Graph::node(NodeId id) const {
  if (id < 0 || id >= size()) throw UserError("the graph has {} nodes, there is no node {}", size(), id);
  return nodes_[static_cast<std::size_t>(id)];
}

std::vector<std::vector<NodeId>> Graph::readers() const {
  std::vector<std::vector<NodeId>> readers(nodes_.size());
  for (NodeId id = 0; id < size(); ++id) {
    for (const NodeId input : node(id).inputs) {
      readers[input].push_back(id);
    }
  }
  return readers;
}

}  // namespace convoy
