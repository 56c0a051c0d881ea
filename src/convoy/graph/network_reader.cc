#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "convoy/base/toml_check.h"
#include "convoy/graph/network_layers.h"
#include "convoy/graph/network_text.h"
#include "convoy/graph/network_values.h"

namespace convoy {
namespace {

// A text that exceeds these limits is a mistake or an attack.
constexpr int kMostLayers = 10'000;
constexpr int kDeepestBlocks = 16;
constexpr int kMostParameters = 64;

constexpr const char* kInName = "in";

// What names and numbers mean among the layers of the network, or of one copy of a block.
struct Scope {
  std::string prefix;  // of the layers' names in the graph: "layer1.0."
  NamedNumbers numbers;
  std::map<std::string, LayerId> names;
  LayerId last = 0;  // the input of a layer that names none
  std::map<std::string, int> unnamed;
  std::vector<std::string> blocks;  // the names of this block and of those around it
};

class NetworkReader {
 public:
  NetworkReader(const std::string& file, const NetworkTextOptions& options) : file_(file), options_(options) {}

  Graph read(std::string_view text);

 private:
  [[nodiscard]] TextPlace place_of(const toml::node& node) const { return {file_, node.source()}; }
  [[nodiscard]] toml::table parse(std::string_view text) const;
  void refuse_unknown_keys(const toml::table& table, const std::string& owner,
                           const std::vector<std::string>& known) const;
  void add_input(const toml::table& root, Scope& scope);
  void add_layers(const toml::node& owner, const toml::node* layers, Scope& scope);
  LayerId add_layer(const toml::table& table, Scope& scope);
  LayerId add_block(const toml::table& table, Scope& scope);
  LayerId add_copy(const toml::table& use, const toml::table& block, const std::string& name,
                   const std::vector<LayerId>& inputs, Scope& scope);
  [[nodiscard]] std::string kind_in(const toml::table& table) const;
  [[nodiscard]] std::string text_at(const toml::table& table, const char* key) const;
  [[nodiscard]] std::string name_of(const toml::table& table, const std::string& kind, Scope& scope) const;
  [[nodiscard]] std::vector<LayerId> inputs_of(const toml::table& table, const std::string& owner,
                                               const Scope& scope) const;
  [[nodiscard]] Operator operator_of(const toml::table& table, const std::string& kind, const std::string& name,
                                     const ValueReader& values) const;
  [[nodiscard]] const toml::table& block_named(const toml::table& use, const std::string& name,
                                               const Scope& scope) const;
  void take_parameters(const toml::table& use, const toml::table& block, const Scope& outer, Scope& scope) const;
  void require_classes(const TextPlace& place, std::int64_t classes) const;

  const std::string& file_;
  const NetworkTextOptions& options_;
  const toml::table* blocks_ = nullptr;
  Graph graph_;
};

toml::table NetworkReader::parse(std::string_view text) const {
  check_toml(text, file_);
  try {
    return toml::parse(text, file_);
  } catch (const toml::parse_error& error) {
    throw UserError("{}:{}: {}", file_, error.source().begin.line, error.description());
  }
}

void NetworkReader::refuse_unknown_keys(const toml::table& table, const std::string& owner,
                                        const std::vector<std::string>& known) const {
  for (const auto& [key, node] : table) {
    if (std::ranges::find(known, key.str()) != known.end()) continue;
    const std::string meant = suggestion(key.str(), known);
    TextPlace(file_, key.source())
        .refuse("{}: unknown key \"{}\"{}", owner, key.str(),
                meant.empty() ? fmt::format("; it takes {}", fmt::join(known, ", ")) : meant);
  }
}

std::string NetworkReader::text_at(const toml::table& table, const char* key) const {
  const toml::node& node = *table.get(key);
  const auto text = node.value_exact<std::string>();
  if (!text) place_of(node).refuse("{} must be text in quotes", key);
  const bool breaks = std::ranges::any_of(*text, [](unsigned char c) { return c < 0x20 || c == 0x7F; });
  if (breaks) place_of(node).refuse("{} has a line break or another control character", key);
  return *text;
}

void NetworkReader::add_input(const toml::table& root, Scope& scope) {
  Shape shape = options_.input;
  std::string name = "input";
  const toml::node* const node = root.get("input");
  const toml::table* const table = node == nullptr ? nullptr : node->as_table();
  if (table != nullptr) {
    refuse_unknown_keys(*table, "input", {"name", "shape"});
    if (table->contains("name")) name = text_at(*table, "name");
  }
  const bool has_shape = node != nullptr && (table == nullptr || table->contains("shape"));
  if (shape.rank() == 0 && !has_shape) {
    throw UserError("{}: it does not say what the network reads; write input = \"3x32x32\" or give --input", file_);
  }
  try {
    if (shape.rank() == 0) shape = Shape::parse(table != nullptr ? text_at(*table, "shape") : text_at(root, "input"));
    scope.names[name] = graph_.add(op::Input{shape}, {}, name);
  } catch (const UserError& error) {
    if (node == nullptr || options_.input.rank() > 0) throw;
    place_of(*node).refuse("input: {}", error.what());
  }
}

Graph NetworkReader::read(std::string_view text) {
  const toml::table root = parse(text);
  refuse_unknown_keys(root, "a network", {"input", "classes", "layers", "block"});
  if (const toml::node* const block = root.get("block")) {
    blocks_ = block->as_table();
    if (blocks_ == nullptr) place_of(*block).refuse("blocks are written [block.NAME]");
  }
  Scope scope;
  add_input(root, scope);
  std::int64_t classes = options_.classes;
  if (const toml::node* const node = root.get("classes"); node != nullptr && classes == 0) {
    classes = ValueReader(place_of(*node), "a network", scope.numbers).whole("classes", *node);
    if (classes < 1) place_of(*node).refuse("classes must be at least 1, got {}", classes);
  }
  scope.numbers["classes"] = classes;
  add_layers(root, root.get("layers"), scope);
  const toml::array& layers = *root.get("layers")->as_array();
  require_classes(place_of(layers.back()), classes);
  return std::move(graph_);
}

// A network whose number of scores is not the number of classes would train without any complaint.
void NetworkReader::require_classes(const TextPlace& place, std::int64_t classes) const {
  const Layer& last = graph_.layers().back();
  if (!is_loss(last.op) || classes == 0) return;
  const Layer& scores = graph_.layer(last.inputs[0]);
  if (scores.shape.count() == classes) return;
  place.refuse(
      R"(layer "{}": it reads {} scores from "{}", and there are {} classes; write out = "classes" where their number is decided)",
      last.name, scores.shape.count(), scores.name, classes);
}

void NetworkReader::add_layers(const toml::node& owner, const toml::node* layers, Scope& scope) {
  const toml::array* const array = layers == nullptr ? nullptr : layers->as_array();
  if (array == nullptr || array->empty()) {
    place_of(layers == nullptr ? owner : *layers)
        .refuse("layers are missing: layers = [{{conv = \"conv1\", out = 16}}]");
  }
  for (const toml::node& node : *array) {
    const toml::table* const table = node.as_table();
    if (table == nullptr) place_of(node).refuse("a layer is written {{conv = \"conv1\", out = 16}}");
    scope.last = table->contains("block") ? add_block(*table, scope) : add_layer(*table, scope);
  }
}

std::string NetworkReader::kind_in(const toml::table& table) const {
  const std::vector<std::string> kinds = layer_kinds();
  std::vector<std::string> found;
  std::string hint;
  for (const auto& [key, node] : table) {
    const std::string word(key.str());
    if (std::ranges::find(kinds, word) != kinds.end()) found.push_back(word);
    if (hint.empty() && node.is_string() && word != "from") hint = suggestion(word, kinds);
  }
  if (found.size() == 1) return found.front();
  if (found.size() > 1) place_of(table).refuse("a layer is of one kind, this one is {}", fmt::join(found, " and "));
  place_of(table).refuse("a layer begins with its kind and name, such as conv = \"conv1\"{}",
                         hint.empty() ? fmt::format("; kinds are block, {}", fmt::join(kinds, ", ")) : hint);
}

std::string NetworkReader::name_of(const toml::table& table, const std::string& kind, Scope& scope) const {
  std::string name = text_at(table, kind.c_str());
  if (name.empty()) name = fmt::format("{}{}", kind, ++scope.unnamed[kind]);
  if (name == kInName && !scope.blocks.empty()) {
    place_of(table).refuse("\"{}\" is what a block reads; give the layer another name", name);
  }
  return name;
}

std::vector<LayerId> NetworkReader::inputs_of(const toml::table& table, const std::string& owner,
                                              const Scope& scope) const {
  const toml::node* const from = table.get("from");
  if (from == nullptr) return {scope.last};
  std::vector<std::string> names;
  if (const toml::array* const array = from->as_array()) {
    for (const toml::node& entry : *array) names.push_back(entry.value_exact<std::string>().value_or(""));
  } else {
    names.push_back(from->value_exact<std::string>().value_or(""));
  }
  std::vector<LayerId> inputs;
  for (const std::string& name : names) {
    const auto found = scope.names.find(name);
    if (found == scope.names.end()) {
      std::vector<std::string> known;
      for (const auto& [each, id] : scope.names) known.push_back(each);
      place_of(*from).refuse(R"({}: reads "{}", which is not a layer before it{})", owner, name,
                             suggestion(name, known));
    }
    inputs.push_back(found->second);
  }
  if (inputs.empty()) place_of(*from).refuse("{}: from names no layer", owner);
  return inputs;
}

Operator NetworkReader::operator_of(const toml::table& table, const std::string& kind, const std::string& name,
                                    const ValueReader& values) const {
  const std::string owner = fmt::format("layer \"{}\"", name);
  if (kind == kLossKind) {
    refuse_unknown_keys(table, owner, {kind, "from"});
    return options_.loss;
  }
  Operator op =
      *std::ranges::find_if(operator_prototypes(), [&](const Operator& each) { return kind_of(each) == kind; });
  FieldReader fields(table, values);
  std::visit([&](auto& attributes) { visit_attributes(attributes, fields); }, op);
  std::vector<std::string> known = {kind, "from"};
  known.insert(known.end(), fields.names().begin(), fields.names().end());
  refuse_unknown_keys(table, owner, known);
  if (fields.missing() != nullptr) place_of(table).refuse("{}: {} is missing", owner, fields.missing());
  return op;
}

LayerId NetworkReader::add_layer(const toml::table& table, Scope& scope) {
  if (graph_.size() > kMostLayers) place_of(table).refuse("the network has more than {} layers", kMostLayers);
  const std::string kind = kind_in(table);
  const std::string name = name_of(table, kind, scope);
  const std::string full_name = scope.prefix + name;
  const std::string owner = fmt::format("layer \"{}\"", full_name);
  const std::vector<LayerId> inputs = inputs_of(table, owner, scope);
  NamedNumbers numbers = scope.numbers;
  const Shape& shape = graph_.layer(inputs[0]).shape;
  numbers["channels"] = shape.rank() > 0 ? shape[0] : 0;
  try {
    const Operator op = operator_of(table, kind, full_name, ValueReader(place_of(table), owner, numbers));
    return scope.names[name] = graph_.add(op, inputs, full_name);
  } catch (const UserError& error) {
    const std::string words = error.what();
    if (!words.starts_with("layer \"")) throw;  // otherwise the message already says where
    place_of(table).refuse("{}", words);
  }
}

const toml::table& NetworkReader::block_named(const toml::table& use, const std::string& name,
                                              const Scope& scope) const {
  const toml::node* const node = blocks_ == nullptr ? nullptr : blocks_->get(name);
  if (node == nullptr || !node->is_table()) {
    std::vector<std::string> known;
    if (blocks_ != nullptr) {
      for (const auto& [key, value] : *blocks_) known.emplace_back(key.str());
    }
    place_of(use).refuse("there is no [block.{}]{}", name, suggestion(name, known));
  }
  if (std::ranges::find(scope.blocks, name) != scope.blocks.end()) {
    place_of(use).refuse("block \"{}\" contains itself: {} > {}", name, fmt::join(scope.blocks, " > "), name);
  }
  if (scope.blocks.size() >= kDeepestBlocks) {
    place_of(use).refuse("blocks are more than {} deep in each other", kDeepestBlocks);
  }
  return *node->as_table();
}

void NetworkReader::take_parameters(const toml::table& use, const toml::table& block, const Scope& outer,
                                    Scope& scope) const {
  const std::string owner = fmt::format("block \"{}\"", scope.blocks.back());
  std::vector<std::string> known = {"block", "name", "from", "repeat", "first"};
  const toml::node* const node = block.get("parameters");
  if (node != nullptr && !node->is_table()) place_of(*node).refuse("{}: parameters = {{width = 16}}", owner);
  NamedNumbers numbers = outer.numbers;
  numbers["channels"] = graph_.layer(scope.last).shape.rank() > 0 ? graph_.layer(scope.last).shape[0] : 0;
  scope.numbers["classes"] = outer.numbers.at("classes");
  if (node != nullptr) {
    if (node->as_table()->size() > kMostParameters) {
      place_of(*node).refuse("{}: it has more than {} parameters", owner, kMostParameters);
    }
    for (const auto& [key, value] : *node->as_table()) {
      const std::string name(key.str());
      const toml::node* const given = use.get(name);
      const toml::node& taken = given == nullptr ? value : *given;
      scope.numbers[name] = ValueReader(place_of(taken), owner, numbers).whole(name, taken);
      known.push_back(name);
    }
  }
  refuse_unknown_keys(use, owner, known);
}

LayerId NetworkReader::add_copy(const toml::table& use, const toml::table& block, const std::string& name,
                                const std::vector<LayerId>& inputs, Scope& scope) {
  Scope inner{
      .prefix = scope.prefix + (name.empty() ? "" : name + "."), .last = inputs.front(), .blocks = scope.blocks};
  inner.blocks.push_back(text_at(use, "block"));
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    inner.names[i == 0 ? kInName : fmt::format("{}{}", kInName, i + 1)] = inputs[i];
  }
  take_parameters(use, block, scope, inner);
  const std::map<std::string, LayerId> outside = inner.names;
  add_layers(block, block.get("layers"), inner);
  LayerId output = inner.last;
  if (block.contains("output")) {
    const std::string wanted = text_at(block, "output");
    const auto found = inner.names.find(wanted);
    if (found == inner.names.end()) {
      place_of(*block.get("output"))
          .refuse("block \"{}\": its output \"{}\" is not a layer of it", inner.blocks.back(), wanted);
    }
    output = found->second;
  }
  for (const auto& [key, id] : inner.names) {
    if (!outside.contains(key)) scope.names[name.empty() ? key : fmt::format("{}.{}", name, key)] = id;
  }
  if (!name.empty()) scope.names[name] = output;
  return output;
}

LayerId NetworkReader::add_block(const toml::table& use, Scope& scope) {
  const std::string block_name = text_at(use, "block");
  const toml::table& block = block_named(use, block_name, scope);
  refuse_unknown_keys(block, fmt::format("block \"{}\"", block_name), {"parameters", "layers", "output"});
  const std::string pattern = use.contains("name") ? text_at(use, "name") : "";
  const ValueReader values(place_of(use), fmt::format("block \"{}\"", block_name), scope.numbers);
  const std::int64_t copies = use.contains("repeat") ? values.whole("repeat", *use.get("repeat")) : 1;
  const std::int64_t first = use.contains("first") ? values.whole("first", *use.get("first")) : 0;
  if (copies < 1 || copies > kMostLayers) {
    place_of(use).refuse("block \"{}\": repeat must be 1 to {}, got {}", block_name, kMostLayers, copies);
  }
  if (first < 0 || first > kMostLayers)
    place_of(use).refuse("block \"{}\": first must be 0 to {}", block_name, kMostLayers);
  const auto hole = pattern.find("{}");
  if (copies > 1 && hole == std::string::npos) {
    place_of(use).refuse(
        "block \"{}\": copies need names of their own; write name = \"{}{{}}\", where {{}} is the number", block_name,
        pattern.empty() ? "stage." : pattern + ".");
  }
  std::vector<LayerId> inputs = inputs_of(use, fmt::format("block \"{}\"", block_name), scope);
  for (std::int64_t i = 0; i < copies; ++i) {
    std::string name = pattern;
    if (hole != std::string::npos) name.replace(hole, 2, fmt::format("{}", first + i));
    inputs = {add_copy(use, block, name, inputs, scope)};
  }
  return inputs.front();
}

}  // namespace

Graph read_network(std::string_view text, const std::string& file, const NetworkTextOptions& options) {
  return NetworkReader(file, options).read(text);
}

}  // namespace convoy
