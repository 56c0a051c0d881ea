#include "convoy/exchange/onnx/onnx_export.h"

#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/exchange/onnx/onnx_import.h"
#include "convoy/graph/builder.h"
#include "convoy/graph/network_text.h"
#include "convoy/graph/parameters.h"

namespace convoy {
namespace {

Graph every_operator() {
  Graph graph;
  Value y = input(graph, {4, 12, 10});
  y = conv(y, {.out = 6,
               .kernel = {3, 2},
               .stride = {2, 1},
               .pad = {1, 0, 2, 3},
               .dilation = {1, 2},
               .groups = 2,
               .name = "logits"});
  y = batch_norm(y, {.epsilon = 1e-3F, .momentum = 0.3F, .name = "bn"});
  y = relu6(relu(y, {.name = "r"}), {.name = "r6"});
  y = group_norm(y, {.groups = 3, .epsilon = 1e-3F, .name = "gn"});
  y = tanh(sigmoid(y, {.name = "sigmoid"}), {.name = "tanh"});
  y = lrn(y, {.size = 3, .alpha = 2e-4F, .beta = 0.5F, .k = 2, .name = "lrn"});
  const Value a = max_pool(y, {.kernel = {3, 2}, .stride = 2, .pad = {1, 0, 1, 1}, .name = "mp"});
  const Value b =
      average_pool(y, {.kernel = {3, 2}, .stride = 2, .pad = {1, 0, 1, 1}, .count_padding = false, .name = "ap"});
  y = concat({add(a, b, {.name = "sum"}), a}, {.name = "cat"});
  y = dropout(pad_channels(y, {.out = 16, .stride = 2, .name = "pc"}), {.rate = 0.3F, .name = "drop"});
  y = flatten(global_average_pool(y, {.name = "gap"}), {.name = "flat"});
  softmax_cross_entropy(dense(dense(y, {.out = 9, .name = "d1"}), {.out = 7, .name = "d2"}), {.name = "loss"});
  return graph;
}

std::vector<NamedTensor> numbered_weights(const Graph& graph) {
  std::vector<NamedTensor> tensors;
  const auto put = [&](const std::string& name, const Shape& shape) {
    std::vector<float> values(static_cast<std::size_t>(shape.count()));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.5F + 0.001F * static_cast<float>(i);
    tensors.push_back({name, shape, std::move(values)});
  };
  for (const Parameter& parameter : parameters_of(graph)) {
    put(parameter.name, parameter.shape);
    const bool has_statistics = std::holds_alternative<op::BatchNorm>(graph.layer(parameter.layer).op);
    if (parameter.role != ParameterRole::shift || !has_statistics) continue;
    put(graph.layer(parameter.layer).name + ".running_mean", parameter.shape);
    put(graph.layer(parameter.layer).name + ".running_var", parameter.shape);
  }
  return tensors;
}

TEST(OnnxExport, EveryOperatorComesBack) {
  const Graph graph = every_operator();
  const std::vector<NamedTensor> weights = numbered_weights(graph);
  for (int opset = kOldestOnnxOpset; opset <= kNewestOnnxOpset; ++opset) {
    const std::string bytes = onnx_model(graph, weights, {.opset = opset, .metadata = {{"a", "b"}}});
    const ImportedNetwork back =
        import_onnx({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, "m.onnx", "");
    EXPECT_EQ(network_text(back.graph), network_text(graph)) << opset;
    EXPECT_EQ(back.weights, weights) << opset;
    EXPECT_EQ(back.metadata.at("a"), "b");
  }
}

TEST(OnnxExport, LayerNormComesBackFromTheOpsetThatHasIt) {
  Graph graph;
  Value x = layer_norm(input(graph, {2, 3, 3}), {.epsilon = 1e-4F, .name = "ln1"});
  x = layer_norm(dense(flatten(x, {.name = "flat"}), {.out = 5, .name = "d"}), {.name = "ln2"});
  softmax_cross_entropy(x, {.name = "loss"});
  const std::vector<NamedTensor> weights = numbered_weights(graph);
  const std::string bytes = onnx_model(graph, weights, {.opset = 17});
  const ImportedNetwork back =
      import_onnx({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, "m.onnx", "");
  EXPECT_EQ(network_text(back.graph), network_text(graph));
  EXPECT_EQ(back.weights, weights);
  EXPECT_TRUE(throws_with<UserError>([&] { (void)onnx_model(graph, weights, {.opset = 16}); },
                                     "layer \"ln1\": ONNX has layer norm from opset 17 on"));
}

TEST(OnnxExport, BatchIsOpenAndNamesAreThoseOfTheLayers) {
  const Graph graph = every_operator();
  onnx::ModelProto model;
  ASSERT_TRUE(model.ParseFromString(onnx_model(graph, numbered_weights(graph))));
  EXPECT_EQ(model.graph().input(0).type().tensor_type().shape().dim(0).dim_param(), "N");
  EXPECT_EQ(model.graph().output(0).name(), "logits");
  EXPECT_EQ(model.graph().node(0).name(), "logits") << "a layer may be called like the output";
  EXPECT_NE(model.graph().node(0).output(0), "logits");
}

TEST(OnnxExport, RefusesWhatCannotBeSaid) {
  Graph graph;
  average_pool(input(graph, {1, 4, 4}), {.kernel = 3, .stride = 2, .ceil = true, .name = "pool"});
  EXPECT_TRUE(throws_with<UserError>([&] { (void)onnx_model(graph, {}); }, "layer \"pool\""));
  const Graph small = every_operator();
  for (const int opset : {8, 18}) {
    EXPECT_TRUE(throws_with<UserError>([&] { (void)onnx_model(small, numbered_weights(small), {.opset = opset}); },
                                       "--opset must be 9 to 17"));
  }
  EXPECT_TRUE(throws_with<DataError>([&] { (void)onnx_model(small, {}); }, "there is no tensor 'logits.weight'"));
  EXPECT_TRUE(throws_with<UserError>([&] { (void)onnx_model(small, {}, {.mean = {0.5F}}); }, "cannot be normalised"));
}

}  // namespace
}  // namespace convoy
