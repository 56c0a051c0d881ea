// Every network of the zoo, exported to ONNX and imported again: the same layers, and the same weights to the bit.
#include <gtest/gtest.h>

#include <algorithm>

#include "convoy/exchange/onnx/onnx_export.h"
#include "convoy/exchange/onnx/onnx_import.h"
#include "convoy/graph/network_text.h"
#include "convoy/graph/parameters.h"
#include "convoy/models/zoo.h"
#include "network_logits.h"

namespace convoy {
namespace {

ImportedNetwork there_and_back(const Graph& graph, std::span<const NamedTensor> weights, int opset) {
  const std::string bytes = onnx_model(graph, weights, {.opset = opset});
  return import_onnx({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, "model.onnx", "");
}

// The exporter writes ceil mode as padding.
template <typename Pool>
void pad_to_ceil(Pool& pool, const Shape& in, const Shape& out) {
  const auto reach = [](std::int64_t results, int stride, int kernel, std::int64_t size) {
    return std::max(0, static_cast<int>((results - 1) * stride + kernel - size));
  };
  pool.pad.bottom = reach(out[1], pool.stride.h, pool.kernel.h, in[1] + pool.pad.top);
  pool.pad.right = reach(out[2], pool.stride.w, pool.kernel.w, in[2] + pool.pad.left);
  pool.ceil = false;
}

Graph as_exported(const Graph& graph) {
  Graph result;
  for (const Layer& layer : graph.layers()) {
    Operator op = layer.op;
    const auto pad = [&](auto* pool) {
      if (pool != nullptr && pool->ceil) pad_to_ceil(*pool, graph.layer(layer.inputs[0]).shape, layer.shape);
    };
    pad(std::get_if<op::MaxPool>(&op));
    pad(std::get_if<op::AveragePool>(&op));
    result.add(op, layer.inputs, layer.name);
  }
  return result;
}

class OnnxZoo : public testing::TestWithParam<int> {};

TEST_P(OnnxZoo, ComesBackAsItWas) {
  const ZooEntry& entry = zoo()[static_cast<std::size_t>(GetParam())];
  const Graph graph = build_model(entry.name);
  const std::vector<NamedTensor> weights = varied_weights(graph);
  for (const int opset : {kOldestOnnxOpset, 13, kNewestOnnxOpset}) {
    const ImportedNetwork back = there_and_back(graph, weights, opset);
    EXPECT_EQ(network_text(back.graph), network_text(as_exported(graph))) << opset;
    ASSERT_EQ(back.weights.size(), weights.size());
    for (const NamedTensor& tensor : weights) {
      const NamedTensor* const found = find_tensor(back.weights, tensor.name);
      ASSERT_NE(found, nullptr) << tensor.name;
      EXPECT_TRUE(*found == tensor) << tensor.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, OnnxZoo, testing::Range(0, static_cast<int>(zoo().size())), [](const auto& test) {
  std::string name = zoo()[static_cast<std::size_t>(test.param)].name;
  std::erase(name, '.');
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace convoy
