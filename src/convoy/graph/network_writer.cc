#include <fmt/format.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "convoy/graph/network_text.h"
#include "convoy/graph/operator_fields.h"

namespace convoy {
namespace {

// A JSON string is also a valid TOML string.
std::string quoted(const std::string& text) { return nlohmann::json(text).dump(); }

std::string value_text(int value) { return fmt::format("{}", value); }
std::string value_text(bool value) { return value ? "true" : "false"; }
std::string value_text(Extent value) {
  return value.h == value.w ? value_text(value.h) : fmt::format("[{}, {}]", value.h, value.w);
}
std::string value_text(const Padding& value) {
  if (value == Padding(value.top)) return value_text(value.top);
  return fmt::format("[{}, {}, {}, {}]", value.top, value.left, value.bottom, value.right);
}
// As many digits as are needed to read back exactly the same float.
std::string value_text(float value) { return fmt::format("{}", value); }

// The attributes of an operator as text, in the order of its fields.
class AttributeTexts {
 public:
  struct Entry {
    std::string name;
    std::string value;
    bool is_required = false;
  };

  template <typename Value>
  void required(const char* name, const Value& value) {
    entries.push_back({name, value_text(value), true});
  }
  template <typename Value>
  void operator()(const char* name, const Value& value) {
    entries.push_back({name, value_text(value)});
  }

  std::vector<Entry> entries;
};

template <typename Op>
std::vector<AttributeTexts::Entry> texts_of(Op op) {
  AttributeTexts texts;
  visit_attributes(op, texts);
  return texts.entries;
}

template <typename Op>
Op usual() {
  if constexpr (std::is_default_constructible_v<Op>) {
    return Op{};
  } else {
    return Op{.kernel = 1};  // a placeholder: the kernel of a pooling is required and thus always written
  }
}

// The attributes that are required, and those that differ from their defaults.
template <typename Op>
std::string attributes_text(const Op& op, bool decides_classes) {
  const auto own = texts_of(op);
  const auto defaults = texts_of(usual<Op>());
  std::string text;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (!own[i].is_required && own[i].value == defaults[i].value) continue;
    const bool is_classes = decides_classes && own[i].name == "out";
    text += fmt::format(", {} = {}", own[i].name, is_classes ? quoted("classes") : own[i].value);
  }
  return text;
}

// The layer that decides the number of classes: the last convolution or dense layer before the loss, if it has one
// channel or value per class; -1 when there is none.
LayerId class_layer(const Graph& graph) {
  const Layer& last = graph.layers().back();
  if (!is_loss(last.op)) return -1;
  const std::int64_t classes = graph.layer(last.inputs[0]).shape.count();
  for (LayerId id = last.inputs[0]; graph.layer(id).inputs.size() == 1; id = graph.layer(id).inputs[0]) {
    const Layer& layer = graph.layer(id);
    if (std::holds_alternative<op::Convolution>(layer.op) || std::holds_alternative<op::Dense>(layer.op)) {
      return layer.shape[0] == classes ? id : -1;
    }
  }
  return -1;
}

// The layer's inputs, unless its only input is the layer before it.
std::string from_text(const Graph& graph, LayerId id) {
  const std::vector<LayerId>& inputs = graph.layer(id).inputs;
  if (inputs.size() == 1) {
    return inputs[0] == id - 1 ? "" : fmt::format(", from = {}", quoted(graph.layer(inputs[0]).name));
  }
  std::string names;
  for (const LayerId input : inputs) names += (names.empty() ? "" : ", ") + quoted(graph.layer(input).name);
  return fmt::format(", from = [{}]", names);
}

bool is_usual_loss(const Operator& op) {
  const auto* const loss = std::get_if<op::SoftmaxCrossEntropy>(&op);
  return loss != nullptr && loss->label_smoothing == 0;
}

std::string layer_text(const Graph& graph, LayerId id, bool decides_classes) {
  const Layer& layer = graph.layer(id);
  const std::string kind = is_usual_loss(layer.op) ? "loss" : kind_of(layer.op);
  const std::string attributes =
      std::visit([&](const auto& op) { return attributes_text(op, decides_classes); }, layer.op);
  return fmt::format("  {{{} = {}{}{}}},\n", kind, quoted(layer.name), attributes, from_text(graph, id));
}

std::string input_text(const Layer& input) {
  const std::string shape = quoted(input.shape.to_string());
  if (input.name == "input") return fmt::format("input = {}\n", shape);
  return fmt::format("input = {{name = {}, shape = {}}}\n", quoted(input.name), shape);
}

}  // namespace

std::string network_text(const Graph& graph) {
  const LayerId decides = class_layer(graph);
  std::string text = input_text(graph.layer(0));
  if (decides >= 0) text += fmt::format("classes = {}\n", graph.layer(decides).shape[0]);
  text += "layers = [\n";
  for (LayerId id = 1; id < graph.size(); ++id) text += layer_text(graph, id, id == decides);
  return text + "]\n";
}

}  // namespace convoy
