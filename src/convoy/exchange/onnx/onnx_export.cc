#include "convoy/exchange/onnx/onnx_export.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <variant>

#include "convoy/base/error.h"
#include "convoy/base/version.h"
#include "convoy/graph/parameters.h"

namespace convoy {
namespace {

constexpr const char* kInput = "input";
constexpr const char* kLogits = "logits";
constexpr const char* kNormalised = "normalised";
constexpr const char* kBatch = "N";

// The oldest version of the file format that allows this opset.
int ir_version(int opset) {
  constexpr std::array kVersions = {4, 5, 6, 7, 7, 7, 8, 8, 8};
  static_assert(kVersions.size() == kNewestOnnxOpset - kOldestOnnxOpset + 1);
  return kVersions[static_cast<std::size_t>(opset - kOldestOnnxOpset)];
}

void set_dims(const Shape& shape, onnx::TensorProto& tensor) {
  for (const std::int64_t extent : shape.dims()) tensor.add_dims(extent);
}

class OnnxWriter {
 public:
  OnnxWriter(const Graph& graph, std::span<const NamedTensor> weights, const OnnxExportOptions& options)
      : graph_(graph), weights_(weights), options_(options), out_(*model_.mutable_graph()) {}

  std::string write();

  // One for each operator: adds the nodes for the current layer.
  void operator()(const op::Convolution& op);
  void operator()(const op::Dense& op);
  void operator()(const op::BatchNorm& op);
  void operator()(const op::GroupNorm& op);
  void operator()(const op::LayerNorm& op);
  void operator()(const op::Relu6& op);
  void operator()(const op::MaxPool& op);
  void operator()(const op::AveragePool& op);
  void operator()(const op::PadChannels& op);
  void operator()(const op::Dropout& op);
  void operator()(const op::Lrn& op);
  void operator()(const op::Relu& /*op*/) { add_node("Relu"); }
  void operator()(const op::Sigmoid& /*op*/) { add_node("Sigmoid"); }
  void operator()(const op::Tanh& /*op*/) { add_node("Tanh"); }
  void operator()(const op::Softmax& /*op*/) { set(add_node("Softmax"), "axis", 1); }
  void operator()(const op::GlobalAveragePool& /*op*/) { add_node("GlobalAveragePool"); }
  void operator()(const op::Add& /*op*/) { add_node("Add"); }
  void operator()(const op::Concat& /*op*/) { set(add_node("Concat"), "axis", 1); }
  void operator()(const op::Flatten& /*op*/) { set(add_node("Flatten"), "axis", 1); }
  void operator()(const op::Input& /*op*/) {}
  void operator()(const op::SoftmaxCrossEntropy& /*op*/) {}
  void operator()(const op::MeanSquaredError& /*op*/) {}

 private:
  [[nodiscard]] const Layer& layer() const { return graph_.layer(id_); }
  [[nodiscard]] const Shape& in() const { return graph_.layer(layer().inputs[0]).shape; }
  // The name of a layer's output in the model.
  [[nodiscard]] std::string value_of(LayerId id) const;
  // Adds a node with the layer's name that reads its inputs and gives its output.
  onnx::NodeProto& add_node(const char* type);
  // The same between other values.
  onnx::NodeProto& add_node(const char* type, const std::string& name, const std::string& from, const std::string& to);
  void add_weights(onnx::NodeProto& node, std::initializer_list<const char*> endings);
  std::string add_floats(const std::string& name, const Shape& shape, std::span<const float> values);
  std::string add_wholes(const std::string& name, const std::vector<std::int64_t>& values);
  void add_normalisation();
  void add_value(const std::string& name, const Shape& shape, onnx::ValueInfoProto& value) const;

  static void set(onnx::NodeProto& node, const char* name, int value);
  static void set(onnx::NodeProto& node, const char* name, float value);
  static void set(onnx::NodeProto& node, const char* name, std::initializer_list<std::int64_t> values);
  template <typename Window>
  void set_window(onnx::NodeProto& node, const Window& op, const Padding& pad) const;
  template <typename Pool>
  [[nodiscard]] Padding padding_without_ceil(const Pool& op) const;

  const Graph& graph_;
  std::span<const NamedTensor> weights_;
  const OnnxExportOptions& options_;
  onnx::ModelProto model_;
  onnx::GraphProto& out_;
  LayerId id_ = 0;
  LayerId last_ = 0;
};

std::string OnnxWriter::value_of(LayerId id) const {
  if (id == last_) return kLogits;
  if (id == 0) return options_.mean.empty() ? kInput : kNormalised;
  const std::string& name = graph_.layer(id).name;
  return name == kInput || name == kLogits || name == kNormalised ? name + ".out" : name;
}

void OnnxWriter::set(onnx::NodeProto& node, const char* name, int value) {
  onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::INT);
  attribute.set_i(value);
}

void OnnxWriter::set(onnx::NodeProto& node, const char* name, float value) {
  onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::FLOAT);
  attribute.set_f(value);
}

void OnnxWriter::set(onnx::NodeProto& node, const char* name, std::initializer_list<std::int64_t> values) {
  onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::INTS);
  for (const std::int64_t value : values) attribute.add_ints(value);
}

onnx::NodeProto& OnnxWriter::add_node(const char* type, const std::string& name, const std::string& from,
                                      const std::string& to) {
  onnx::NodeProto& node = *out_.add_node();
  node.set_op_type(type);
  node.set_name(name);
  node.add_input(from);
  node.add_output(to);
  return node;
}

onnx::NodeProto& OnnxWriter::add_node(const char* type) {
  onnx::NodeProto& node = add_node(type, layer().name, value_of(layer().inputs[0]), value_of(id_));
  for (std::size_t i = 1; i < layer().inputs.size(); ++i) node.add_input(value_of(layer().inputs[i]));
  return node;
}

std::string OnnxWriter::add_floats(const std::string& name, const Shape& shape, std::span<const float> values) {
  onnx::TensorProto& tensor = *out_.add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  set_dims(shape, tensor);
  tensor.set_raw_data(values.data(), values.size_bytes());
  return name;
}

std::string OnnxWriter::add_wholes(const std::string& name, const std::vector<std::int64_t>& values) {
  onnx::TensorProto& tensor = *out_.add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(onnx::TensorProto::INT64);
  tensor.add_dims(static_cast<std::int64_t>(values.size()));
  tensor.set_raw_data(values.data(), values.size() * sizeof(std::int64_t));
  return name;
}

void OnnxWriter::add_weights(onnx::NodeProto& node, std::initializer_list<const char*> endings) {
  for (const char* const ending : endings) {
    const std::string name = layer().name + ending;
    Shape shape;
    for (const Parameter& parameter : parameters_of(graph_, id_)) {
      // Running statistics have the same shape as the scales.
      if (parameter.name == name || shape.rank() == 0) shape = parameter.shape;
    }
    node.add_input(add_floats(name, shape, floats_of(weights_, name, shape)));
  }
}

template <typename Window>
void OnnxWriter::set_window(onnx::NodeProto& node, const Window& op, const Padding& pad) const {
  set(node, "kernel_shape", {op.kernel.h, op.kernel.w});
  set(node, "strides", {op.stride.h, op.stride.w});
  set(node, "pads", {pad.top, pad.left, pad.bottom, pad.right});
}

void OnnxWriter::operator()(const op::Convolution& op) {
  onnx::NodeProto& node = add_node("Conv");
  set_window(node, op, op.pad);
  set(node, "dilations", {op.dilation.h, op.dilation.w});
  set(node, "group", op.groups);
  add_weights(node, {".weight"});
  if (op.bias) add_weights(node, {".bias"});
}

void OnnxWriter::operator()(const op::Dense& op) {
  std::string from = value_of(layer().inputs[0]);
  if (in().rank() > 1) {
    const std::string flat = layer().name + ".flat";
    set(add_node("Flatten", flat, from, flat), "axis", 1);
    from = flat;
  }
  onnx::NodeProto& node = add_node("Gemm", layer().name, from, value_of(id_));
  set(node, "transB", 1);
  add_weights(node, {".weight"});
  if (op.bias) {
    add_weights(node, {".bias"});
  } else if (options_.opset < 11) {  // where the bias cannot be left out
    const std::vector<float> zeros(static_cast<std::size_t>(op.out));
    node.add_input(add_floats(layer().name + ".zeros", {op.out}, zeros));
  }
}

void OnnxWriter::operator()(const op::BatchNorm& op) {
  onnx::NodeProto& node = add_node("BatchNormalization");
  set(node, "epsilon", op.epsilon);
  set(node, "momentum", 1 - op.momentum);  // for ONNX, momentum is the share of the old statistics
  add_weights(node, {".weight", ".bias", ".running_mean", ".running_var"});
}

// The operator for group norm exists only from opset 18 on. Until then, each group is reshaped to a row and normalised
// as one instance.
void OnnxWriter::operator()(const op::GroupNorm& op) {
  const std::string& name = layer().name;
  const Shape& shape = layer().shape;
  const auto groups = static_cast<std::size_t>(op.groups);
  add_node("Reshape", name + ".view", value_of(layer().inputs[0]), name + ".grouped")
      .add_input(add_wholes(name + ".groups", {0, op.groups, -1}));
  onnx::NodeProto& normed = add_node("InstanceNormalization", name, name + ".grouped", name + ".normed");
  set(normed, "epsilon", op.epsilon);
  normed.add_input(add_floats(name + ".ones", {op.groups}, std::vector<float>(groups, 1)));
  normed.add_input(add_floats(name + ".zeros", {op.groups}, std::vector<float>(groups, 0)));
  add_node("Reshape", name + ".back", name + ".normed", name + ".image")
      .add_input(add_wholes(name + ".shape", {0, shape[0], shape[1], shape[2]}));
  const auto factors = [&](const char* ending) {
    return add_floats(name + ending, {shape[0], 1, 1}, floats_of(weights_, name + ending, {shape[0]}));
  };
  add_node("Mul", name + ".scale", name + ".image", name + ".scaled").add_input(factors(".weight"));
  add_node("Add", name + ".shift", name + ".scaled", value_of(id_)).add_input(factors(".bias"));
}

void OnnxWriter::operator()(const op::LayerNorm& op) {
  constexpr int kFirstOpset = 17;
  if (options_.opset < kFirstOpset) {
    throw UserError("layer \"{}\": ONNX has layer norm from opset {} on; give --opset {}", layer().name, kFirstOpset,
                    kFirstOpset);
  }
  onnx::NodeProto& node = add_node("LayerNormalization");
  set(node, "axis", 1);
  set(node, "epsilon", op.epsilon);
  add_weights(node, {".weight", ".bias"});
}

void OnnxWriter::operator()(const op::Relu6& /*op*/) {
  onnx::NodeProto& node = add_node("Clip");
  constexpr float kLow = 0;
  constexpr float kHigh = 6;
  if (options_.opset < 11) {
    set(node, "min", kLow);
    set(node, "max", kHigh);
    return;
  }
  node.add_input(add_floats(layer().name + ".min", {}, std::span(&kLow, 1)));
  node.add_input(add_floats(layer().name + ".max", {}, std::span(&kHigh, 1)));
}

// Programs disagree about ceil mode. Padding that reaches as far as the last window means the same to all of them.
template <typename Pool>
Padding OnnxWriter::padding_without_ceil(const Pool& op) const {
  const auto reached = [](std::int64_t out, std::int64_t stride, std::int64_t kernel, std::int64_t size, int before) {
    return static_cast<int>((out - 1) * stride + kernel - size - before);
  };
  Padding pad = op.pad;
  pad.bottom = std::max(pad.bottom, reached(layer().shape[1], op.stride.h, op.kernel.h, in()[1], pad.top));
  pad.right = std::max(pad.right, reached(layer().shape[2], op.stride.w, op.kernel.w, in()[2], pad.left));
  return op.ceil ? pad : op.pad;
}

void OnnxWriter::operator()(const op::MaxPool& op) { set_window(add_node("MaxPool"), op, padding_without_ceil(op)); }

void OnnxWriter::operator()(const op::AveragePool& op) {
  const Padding pad = padding_without_ceil(op);
  if (op.count_padding && pad != op.pad) {
    throw UserError(
        "layer \"{}\": an average that counts padding, but not what ceil mode adds, cannot be written as ONNX; use "
        "count_padding = false or ceil = false",
        layer().name);
  }
  onnx::NodeProto& node = add_node("AveragePool");
  set_window(node, op, pad);
  set(node, "count_include_pad", op.count_padding ? 1 : 0);
}

// Takes every stride-th pixel by a max pooling over one pixel, then adds channels of zeros.
void OnnxWriter::operator()(const op::PadChannels& op) {
  std::string from = value_of(layer().inputs[0]);
  if (op.stride > 1) {
    const std::string thin = layer().name + ".thin";
    onnx::NodeProto& pool = add_node("MaxPool", thin, from, thin);
    set(pool, "kernel_shape", {1, 1});
    set(pool, "strides", {op.stride, op.stride});
    from = thin;
  }
  onnx::NodeProto& node = add_node("Pad", layer().name, from, value_of(id_));
  const std::int64_t side = (op.out - in()[0]) / 2;
  if (options_.opset < 11) {
    set(node, "pads", {0, side, 0, 0, 0, side, 0, 0});
  } else {
    node.add_input(add_wholes(layer().name + ".pads", {0, side, 0, 0, 0, side, 0, 0}));
  }
}

// The node does nothing in prediction, but shows where dropout was if somebody trains the model further.
void OnnxWriter::operator()(const op::Dropout& op) {
  onnx::NodeProto& node = add_node("Dropout");
  if (options_.opset < 12) {
    set(node, "ratio", op.rate);
  } else {
    node.add_input(add_floats(layer().name + ".ratio", {}, std::span(&op.rate, 1)));
  }
}

void OnnxWriter::operator()(const op::Lrn& op) {
  onnx::NodeProto& node = add_node("LRN");
  set(node, "size", op.size);
  set(node, "alpha", op.alpha);
  set(node, "beta", op.beta);
  set(node, "bias", op.k);
}

// Writes the normalisation as a batch norm whose statistics are those of the data.
void OnnxWriter::add_normalisation() {
  if (options_.mean.empty()) return;
  constexpr float kEpsilon = 1e-12F;
  const std::size_t channels = options_.mean.size();
  const Shape shape = {static_cast<std::int64_t>(channels)};
  std::vector<float> variance;
  for (const float deviation : options_.deviation) variance.push_back(deviation * deviation);
  onnx::NodeProto& node = add_node("BatchNormalization", "normalise", kInput, value_of(0));
  set(node, "epsilon", kEpsilon);
  node.add_input(add_floats("normalise.weight", shape, std::vector<float>(channels, 1)));
  node.add_input(add_floats("normalise.bias", shape, std::vector<float>(channels, 0)));
  node.add_input(add_floats("normalise.running_mean", shape, options_.mean));
  node.add_input(add_floats("normalise.running_var", shape, variance));
}

void OnnxWriter::add_value(const std::string& name, const Shape& shape, onnx::ValueInfoProto& value) const {
  value.set_name(name);
  onnx::TypeProto_Tensor& type = *value.mutable_type()->mutable_tensor_type();
  type.set_elem_type(onnx::TensorProto::FLOAT);
  type.mutable_shape()->add_dim()->set_dim_param(kBatch);
  for (const std::int64_t extent : shape.dims()) type.mutable_shape()->add_dim()->set_dim_value(extent);
}

void require_options(const Graph& graph, const OnnxExportOptions& options) {
  if (options.opset < kOldestOnnxOpset || options.opset > kNewestOnnxOpset) {
    throw UserError("--opset must be {} to {}, got {}", kOldestOnnxOpset, kNewestOnnxOpset, options.opset);
  }
  const Shape& input = graph.layer(0).shape;
  const auto channels = static_cast<std::size_t>(input.rank() == 3 ? input[0] : 0);
  if (!options.mean.empty() && (options.mean.size() != channels || options.deviation.size() != channels)) {
    throw UserError("an input of {} cannot be normalised by {} means and {} deviations", input.to_string(),
                    options.mean.size(), options.deviation.size());
  }
}

std::string OnnxWriter::write() {
  require_options(graph_, options_);
  last_ = is_loss(graph_.layers().back().op) ? graph_.layers().back().inputs[0] : graph_.output();
  model_.set_ir_version(ir_version(options_.opset));
  model_.set_producer_name("convoy");
  model_.set_producer_version(build_info().version);
  onnx::OperatorSetIdProto& opset = *model_.add_opset_import();
  opset.set_domain("");
  opset.set_version(options_.opset);
  for (const auto& [key, value] : options_.metadata) {
    onnx::StringStringEntryProto& entry = *model_.add_metadata_props();
    entry.set_key(key);
    entry.set_value(value);
  }
  out_.set_name(options_.name);
  add_value(kInput, graph_.layer(0).shape, *out_.add_input());
  add_normalisation();
  for (id_ = 0; id_ < graph_.size(); ++id_) std::visit(*this, layer().op);
  add_value(kLogits, graph_.layer(last_).shape, *out_.add_output());
  if (model_.ByteSizeLong() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw UserError("the model takes more than the 2 GB that an ONNX file may have");
  }
  return model_.SerializeAsString();
}

}  // namespace

std::string onnx_model(const Graph& graph, std::span<const NamedTensor> weights, const OnnxExportOptions& options) {
  return OnnxWriter(graph, weights, options).write();
}

}  // namespace convoy
