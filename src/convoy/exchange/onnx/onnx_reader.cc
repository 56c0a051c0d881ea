#include "convoy/exchange/onnx/onnx_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "convoy/base/error.h"
#include "convoy/base/file/mapped_file.h"
#include "convoy/base/nearest.h"
#include "convoy/base/printable_text.h"

namespace convoy {
namespace {

constexpr std::int64_t kNewestOpsetRead = 25;

std::int64_t count_of(const std::vector<std::int64_t>& dims) {
  return std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>());
}

bool is_standard(const std::string& domain) { return domain.empty() || domain == "ai.onnx"; }

}  // namespace

OnnxReader::OnnxReader(const onnx::ModelProto& model, std::filesystem::path folder, std::int64_t most_weights)
    : model_(model), graph_(model.graph()), folder_(std::move(folder)) {
  network_.allow_weights(most_weights);
}

const std::map<std::string, OnnxReader::Handler>& OnnxReader::handlers() {
  static const std::map<std::string, Handler> all = {
      {"Add", &OnnxReader::add},
      {"AveragePool", &OnnxReader::average_pool},
      {"BatchNormalization", &OnnxReader::batch_normalization},
      {"Cast", &OnnxReader::identity},
      {"Clip", &OnnxReader::clip},
      {"Concat", &OnnxReader::concat},
      {"Constant", &OnnxReader::constant},
      {"Conv", &OnnxReader::conv},
      {"Div", &OnnxReader::scale},
      {"Dropout", &OnnxReader::dropout},
      {"Flatten", &OnnxReader::flatten},
      {"Gather", &OnnxReader::gather},
      {"Gemm", &OnnxReader::gemm},
      {"GlobalAveragePool", &OnnxReader::global_average_pool},
      {"GlobalMaxPool", &OnnxReader::global_max_pool},
      {"GroupNormalization", &OnnxReader::group_normalization},
      {"Identity", &OnnxReader::identity},
      {"InstanceNormalization", &OnnxReader::instance_normalization},
      {"LRN", &OnnxReader::lrn},
      {"LayerNormalization", &OnnxReader::layer_normalization},
      {"LogSoftmax", &OnnxReader::softmax},
      {"MatMul", &OnnxReader::mat_mul},
      {"MaxPool", &OnnxReader::max_pool},
      {"Mul", &OnnxReader::scale},
      {"Pad", &OnnxReader::pad},
      {"ReduceMean", &OnnxReader::reduce_mean},
      {"Relu", &OnnxReader::relu},
      {"Reshape", &OnnxReader::reshape},
      {"Shape", &OnnxReader::shape},
      {"Sigmoid", &OnnxReader::sigmoid},
      {"Softmax", &OnnxReader::softmax},
      {"Squeeze", &OnnxReader::squeeze},
      {"Sub", &OnnxReader::scale},
      {"Sum", &OnnxReader::add},
      {"Tanh", &OnnxReader::tanh},
      {"Transpose", &OnnxReader::transpose},
      {"Unsqueeze", &OnnxReader::squeeze},
  };
  return all;
}

void OnnxReader::check_model() const {
  if (!model_.has_graph() || graph_.node().empty()) throw DataError("it is no ONNX model, or one without nodes");
  for (const onnx::OperatorSetIdProto& opset : model_.opset_import()) {
    if (is_standard(opset.domain()) && opset.version() > kNewestOpsetRead) {
      throw UserError("it uses operators of version {}; those up to {} are understood", opset.version(),
                      kNewestOpsetRead);
    }
  }
  if (graph_.sparse_initializer_size() > 0) throw UserError("it has sparse tensors, which are not understood");
}

void OnnxReader::count_uses() {
  for (const onnx::NodeProto& node : graph_.node()) {
    for (const std::string& input : node.input()) ++uses_[input];
  }
  for (const onnx::ValueInfoProto& output : graph_.output()) ++uses_[output.name()];
}

std::int64_t OnnxReader::uses(const std::string& name) const {
  const auto found = uses_.find(name);
  return found == uses_.end() ? 0 : found->second;
}

void OnnxReader::read_initializers() {
  for (const onnx::TensorProto& tensor : graph_.initializer()) {
    OnnxValue value;
    value.constant = std::make_shared<OnnxConstant>(read_constant(tensor, folder_));
    network_.allow_weights(static_cast<std::int64_t>(value.constant->floats.size()));
    values_[tensor.name()] = std::move(value);
  }
}

void OnnxReader::add_input(const Shape& given) {
  const onnx::ValueInfoProto* found = nullptr;
  for (const onnx::ValueInfoProto& input : graph_.input()) {
    if (values_.contains(input.name())) continue;  // old files list their weights as inputs too
    if (found != nullptr) {
      throw UserError("it has two inputs, \"{}\" and \"{}\"; networks here have one", printable_text(found->name()),
                      printable_text(input.name()));
    }
    found = &input;
  }
  if (found == nullptr) throw UserError("it has no input");
  std::vector<std::int64_t> dims;
  bool is_open = false;
  const auto& shape = found->type().tensor_type().shape();
  for (int i = 0; i < shape.dim_size(); ++i) {
    if (i == 0) {
      if (shape.dim(0).has_dim_value() && shape.dim(0).dim_value() > 0) batch_ = shape.dim(0).dim_value();
      continue;
    }
    is_open |= !shape.dim(i).has_dim_value() || shape.dim(i).dim_value() < 1;
    dims.push_back(shape.dim(i).dim_value());
  }
  if (given.rank() > 0) {
    dims = given.dims();
  } else if (is_open || (dims.size() != 1 && dims.size() != 3)) {
    throw UserError(
        "its input \"{}\" {}; a network reads a batch of images NxCxHxW or of rows NxF: give one sample's shape with "
        "`convoy import --input 3x224x224`",
        printable_text(found->name()),
        is_open ? "leaves extents open" : fmt::format("has {} extents", shape.dim_size()));
  }
  OnnxValue value;
  value.dims = dims;
  value.layer = network_.add(op::Input{Shape(dims)}, {}, "input");
  values_[found->name()] = std::move(value);
}

void OnnxReader::read_node(const onnx::NodeProto& proto) {
  OnnxNode node(proto);
  const auto handler = handlers().find(node.type());
  if (!is_standard(proto.domain()) || handler == handlers().end()) {
    const std::vector<std::string> known = onnx_operators();
    node.refuse("operators of this type{} are not understood; these are: {}",
                is_standard(proto.domain()) ? "" : fmt::format(" (of {})", printable_text(proto.domain())),
                fmt::join(known, ", "));
  }
  if (node.outputs() < 1 || node.output(0).empty()) node.refuse("it has no output");
  if (node.type() != "Constant" && node.inputs() < 1) node.refuse("it has no input");
  for (const std::string& input : proto.input()) {
    if (!input.empty() && !values_.contains(input)) {
      node.refuse("it reads \"{}\", which nothing before it gives: the model has a cycle, or is damaged",
                  printable_text(input));
    }
  }
  if (values_.contains(node.output(0))) {
    node.refuse("it gives \"{}\" a second time", printable_text(node.output(0)));
  }
  try {
    (this->*handler->second)(node);
  } catch (const UserError& error) {
    const std::string words = error.what();
    if (!words.starts_with("layer \"")) throw;
    node.refuse("{}", words);
  }
  node.require_understood();
}

LayerId OnnxReader::output_layer() {
  if (graph_.output_size() < 1) throw UserError("it has no output");
  const std::string& name = graph_.output(0).name();
  const auto found = values_.find(name);
  if (found == values_.end() || found->second.constant) {
    throw UserError("its output \"{}\" is nothing that it computes", printable_text(name));
  }
  for (int i = 1; i < graph_.output_size(); ++i) {
    notes_.push_back(fmt::format("the output \"{}\" is left out: networks here have one, and \"{}\" comes first",
                                 printable_text(graph_.output(i).name()), printable_text(name)));
  }
  const OnnxValue& value = found->second;
  if (value.pad != Padding(0)) throw UserError("its output \"{}\" is padded", printable_text(name));
  if (value.is_probability) {
    notes_.emplace_back("the softmax at the end is part of the loss here, so the scores are those before it");
  }
  const bool is_row = value.dims.size() == 1 || count_of(value.dims) == value.dims.front();
  if (!is_row) {
    if (network_.layer(value.layer).shape.dims() != value.dims) {
      throw UserError("its output \"{}\" is reshaped, and is not a row of scores", printable_text(name));
    }
    return value.layer;
  }
  const LayerId scores = row_of(value, "flatten");
  return network_.add(op::SoftmaxCrossEntropy{}, {scores}, "loss");
}

ImportedNetwork OnnxReader::read(const Shape& input) {
  check_model();
  count_uses();
  read_initializers();
  add_input(input);
  for (const onnx::NodeProto& node : graph_.node()) read_node(node);
  OnnxNetwork::Finished finished = network_.finish(output_layer());
  ImportedNetwork imported{
      .graph = std::move(finished.graph), .weights = std::move(finished.weights), .metadata = {}, .notes = notes_};
  for (const onnx::StringStringEntryProto& entry : model_.metadata_props())
    imported.metadata[entry.key()] = entry.value();
  return imported;
}

const OnnxValue& OnnxReader::value(const OnnxNode& node, int i) const {
  const auto found = values_.find(node.input(i));
  if (node.input(i).empty() || found == values_.end()) node.refuse("its input {} is missing", i);
  return found->second;
}

const OnnxValue& OnnxReader::computed(const OnnxNode& node, int i) const {
  const OnnxValue& found = value(node, i);
  if (found.constant)
    node.refuse("its input \"{}\" is a constant, and should be computed", printable_text(node.input(i)));
  if (found.is_probability) node.refuse("a softmax is understood at the end of a network only");
  return found;
}

const OnnxConstant& OnnxReader::constant_at(const OnnxNode& node, int i) const {
  const OnnxValue& found = value(node, i);
  if (!found.constant) {
    node.refuse("its input \"{}\" is computed, and should be a constant", printable_text(node.input(i)));
  }
  return *found.constant;
}

std::vector<std::int64_t> OnnxReader::wholes_at(const OnnxNode& node, int i) const {
  const OnnxConstant& found = constant_at(node, i);
  if (!found.floats.empty()) node.refuse("its input \"{}\" should be whole numbers", printable_text(node.input(i)));
  return found.wholes;
}

std::vector<float> OnnxReader::floats_at(const OnnxNode& node, int i, std::int64_t count) const {
  const OnnxConstant& found = constant_at(node, i);
  if (static_cast<std::int64_t>(found.floats.size()) != count) {
    node.refuse("its input \"{}\" has {} values, and should have {}", printable_text(node.input(i)),
                found.floats.size(), count);
  }
  return found.floats;
}

LayerId OnnxReader::image(const OnnxNode& node, int i, bool takes_padding) const {
  const OnnxValue& found = computed(node, i);
  if (found.dims.size() != 3 || network_.layer(found.layer).shape.dims() != found.dims) {
    node.refuse("its input \"{}\" is not an image, but {}", printable_text(node.input(i)),
                Shape(found.dims).to_string());
  }
  if (!takes_padding && found.pad != Padding(0)) {
    node.refuse("its input \"{}\" is padded, which is understood before convolutions and poolings only",
                printable_text(node.input(i)));
  }
  return found.layer;
}

LayerId OnnxReader::row_of(OnnxValue value, const std::string& name) {
  const Layer& layer = network_.layer(value.layer);
  if (layer.shape.rank() == 1) return value.layer;
  const auto known = rows_.find(layer.name);
  if (known != rows_.end()) return known->second;
  const std::string key = layer.name;
  const LayerId flat = network_.add(op::Flatten{}, {value.layer}, value.flat_name.empty() ? name : value.flat_name);
  return rows_[key] = flat;
}

LayerId OnnxReader::row(const OnnxNode& node, int i) {
  const OnnxValue& found = computed(node, i);
  if (found.dims.size() != 1 || found.pad != Padding(0)) {
    node.refuse("its input \"{}\" is not a row, but {}; flatten it first", printable_text(node.input(i)),
                Shape(found.dims).to_string());
  }
  return row_of(found, node.name() + ".flat");
}

LayerId OnnxReader::as_it_is(const OnnxNode& node, int i) {
  return computed(node, i).dims.size() == 1 ? row(node, i) : image(node, i);
}

void OnnxReader::give(OnnxNode& node, LayerId layer) {
  OnnxValue value;
  value.layer = layer;
  value.dims = network_.layer(layer).shape.dims();
  values_[node.output(0)] = std::move(value);
}

void OnnxReader::give(OnnxNode& node, OnnxConstant constant) {
  OnnxValue value;
  value.constant = std::make_shared<OnnxConstant>(std::move(constant));
  values_[node.output(0)] = std::move(value);
}

void OnnxReader::give_view(OnnxNode& node, std::vector<std::int64_t> dims) {
  OnnxValue view = value(node, 0);
  view.is_only_use = view.is_only_use && uses(node.input(0)) == 1;
  view.dims = std::move(dims);
  values_[node.output(0)] = std::move(view);
}

std::string OnnxReader::weighted_name(const OnnxNode& node, int i) const {
  constexpr std::string_view kEnding = ".weight";
  const std::string& name = node.input(i);
  return name.size() > kEnding.size() && name.ends_with(kEnding) ? name.substr(0, name.size() - kEnding.size())
                                                                 : node.name();
}

std::vector<std::string> onnx_operators() {
  std::vector<std::string> names;
  for (const auto& [name, handler] : OnnxReader::handlers()) names.push_back(name);
  return names;
}

ImportedNetwork import_onnx(std::span<const std::uint8_t> bytes, const std::string& file,
                            const std::filesystem::path& folder, const Shape& input) {
  // A limit, since weights that are used several times are copied each time.
  const std::int64_t most_weights = static_cast<std::int64_t>(bytes.size()) + (std::int64_t{1} << 24);
  try {
    onnx::ModelProto model;
    if (bytes.size() > static_cast<std::size_t>(INT32_MAX) ||
        !model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
      throw DataError("it is no ONNX model, or is damaged");
    }
    return OnnxReader(model, folder, most_weights).read(input);
  } catch (const DataError& error) {
    throw DataError("{}: {}", file, error.what());
  } catch (const UserError& error) {
    throw UserError("{}: {}", file, error.what());
  }
}

ImportedNetwork import_onnx(const std::filesystem::path& file, const Shape& input) {
  const MappedFile mapped(file);
  return import_onnx(mapped.bytes(), file.string(), file.parent_path(), input);
}

}  // namespace convoy
