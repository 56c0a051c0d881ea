// The costs of the zoo's networks. Multiply-adds were counted by forward hooks on PyTorch's models, so equal sums mean
// equal layers at equal image sizes.
#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>

#include "convoy/graph/analysis.h"
#include "convoy/models/zoo.h"

namespace convoy {
namespace {

std::int64_t multiply_adds(std::string_view model, const ModelOptions& options = {}) {
  return analyse(build_model(model, options)).multiply_adds;
}

TEST(ZooCost, MultiplyAddsEqualTorchvision) {
  EXPECT_EQ(multiply_adds("resnet18"), 1'814'073'344);
  EXPECT_EQ(multiply_adds("resnet34"), 3'663'761'408);
  EXPECT_EQ(multiply_adds("resnet50"), 4'089'184'256);
  EXPECT_EQ(multiply_adds("resnet101"), 7'801'405'440);
  EXPECT_EQ(multiply_adds("resnet152"), 11'513'626'624);
  EXPECT_EQ(multiply_adds("vgg11"), 7'609'090'048);
  EXPECT_EQ(multiply_adds("vgg19"), 19'632'062'464);
  EXPECT_EQ(multiply_adds("mobilenetv2"), 300'774'272);
  EXPECT_EQ(multiply_adds("squeezenet1.1"), 349'151'936);
}

TEST(ZooCost, MultiplyAddsEqualPytorchAtSmallAndOddSizes) {
  EXPECT_EQ(multiply_adds("lenet"), 12'273'152);
  EXPECT_EQ(multiply_adds("resnet20"), 40'551'040);
  EXPECT_EQ(multiply_adds("alexnet"), 106'209'280);
  EXPECT_EQ(multiply_adds("vgg16", {.input = {3, 64, 64}, .classes = 200}), 1'278'771'200);
  EXPECT_EQ(multiply_adds("resnet34", {.input = {3, 64, 64}, .classes = 200}), 299'143'168);
  EXPECT_EQ(multiply_adds("squeezenet1.1", {.input = {3, 225, 199}}), 333'921'280);
  EXPECT_EQ(multiply_adds("mobilenetv2", {.input = {3, 101, 75}}), 57'641'216);
}

TEST(ZooCost, Vgg19Weights) {
  const Graph graph = build_model("vgg19");
  const Analysis analysis = analyse(graph);
  EXPECT_EQ(analysis.layers[1].activations, 224 * 224 * 64);
  EXPECT_EQ(analysis.layers[1].weights, 1'728);
  EXPECT_EQ(analysis.layers[3].activations, 224 * 224 * 64);
  EXPECT_EQ(analysis.layers[3].weights, 36'864);
  std::int64_t convolutions = 0;
  std::vector<std::int64_t> dense;
  for (const LayerAnalysis& layer : analysis.layers) {
    const Operator& op = graph.layer(layer.layer).op;
    if (std::holds_alternative<op::Convolution>(op)) {
      convolutions += layer.weights;
    }
    if (std::holds_alternative<op::Dense>(op)) {
      dense.push_back(layer.weights);
    }
  }
  EXPECT_EQ(convolutions, 20'018'880);
  EXPECT_EQ(dense, (std::vector<std::int64_t>{102'760'448, 16'777'216, 4'096'000}));
  EXPECT_EQ(analysis.weights, 143'652'544);
  EXPECT_EQ(analysis.allreduce_bytes(), 4 * 143'667'240LL);
}

}  // namespace
}  // namespace convoy
