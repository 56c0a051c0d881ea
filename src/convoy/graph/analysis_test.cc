#include "convoy/graph/analysis.h"

#include <gtest/gtest.h>

#include "convoy/graph/builder.h"

namespace convoy {
namespace {

TEST(Analysis, CountsAConvolution) {
  Graph graph;
  conv(input(graph, {6, 9, 8}), {.out = 4, .kernel = {3, 5}, .stride = 2, .pad = 1, .groups = 2});
  const LayerAnalysis layer = analyse(graph).layers.at(1);
  EXPECT_EQ(layer.activations, 4 * 5 * 3);
  EXPECT_EQ(layer.weights, 4 * 3 * 3 * 5);
  EXPECT_EQ(layer.biases, 4);
  EXPECT_EQ(layer.tensors, 2);
  EXPECT_EQ(layer.multiply_adds, 4 * 5 * 3 * (3 * 3 * 5));
  EXPECT_EQ(layer.output_bytes(), 4 * 4 * 5 * 3);
  EXPECT_EQ(layer.parameter_bytes(), 4 * (4 * 3 * 3 * 5 + 4));
}

TEST(Analysis, CountsADenseLayerAndABatchNorm) {
  Graph graph;
  dense(batch_norm(input(graph, {6, 2, 2})), {.out = 10});
  const Analysis analysis = analyse(graph);
  EXPECT_EQ(analysis.layers[1].weights, 6);
  EXPECT_EQ(analysis.layers[1].biases, 6);
  EXPECT_EQ(analysis.layers[1].multiply_adds, 0);
  EXPECT_EQ(analysis.layers[2].weights, 240);
  EXPECT_EQ(analysis.layers[2].biases, 10);
  EXPECT_EQ(analysis.layers[2].multiply_adds, 240);
}

TEST(Analysis, Totals) {
  Graph graph;
  softmax_cross_entropy(dense(batch_norm(input(graph, {6, 2, 2})), {.out = 10}));
  const Analysis analysis = analyse(graph);
  EXPECT_EQ(analysis.activations, 24 + 10 + 1);
  EXPECT_EQ(analysis.parameters(), 12 + 250);
  EXPECT_EQ(analysis.tensors, 4);
  EXPECT_EQ(analysis.multiply_adds, 240);
  EXPECT_EQ(analysis.allreduce_bytes(), 4 * 262);
}

std::int64_t field_of_stack(int count, int kernel) {
  Graph graph;
  Value x = input(graph, {1, 64, 64});
  for (int i = 0; i < count; ++i) {
    x = relu(conv(x, {.out = 1, .kernel = kernel}));
  }
  return analyse(graph).layers.back().receptive_height;
}

TEST(ReceptiveField, OfStackedConvolutionsIsNFMinusNPlusOne) {
  EXPECT_EQ(field_of_stack(3, 5), 13);
  EXPECT_EQ(field_of_stack(3, 3), 7);
  for (int n = 1; n <= 6; ++n) {
    EXPECT_EQ(field_of_stack(n, 5), n * 5 - n + 1);
  }
}

TEST(ReceptiveField, GrowsFasterBehindStridesAndDilation) {
  Graph graph;
  Value x = conv(input(graph, {1, 64, 64}), {.out = 1, .kernel = {7, 1}, .stride = {2, 1}});
  x = max_pool(x, {.kernel = 3, .stride = 2});
  x = conv(x, {.out = 1, .kernel = 3, .dilation = 2});
  const LayerAnalysis layer = analyse(graph).layers.back();
  EXPECT_EQ(layer.receptive_height, 7 + 2 * 2 + 4 * 4);
  EXPECT_EQ(layer.receptive_width, 1 + 2 * 1 + 4 * 2);
}

TEST(ReceptiveField, IsTheLargestOfAllPaths) {
  Graph graph;
  const Value x = input(graph, {1, 64, 64});
  const Value far = conv(conv(x, {.out = 1, .kernel = 3, .pad = 1}), {.out = 1, .kernel = 3, .stride = 2, .pad = 1});
  const Value near = pad_channels(x, {.out = 1, .stride = 2});
  conv(add(near, far), {.out = 1, .kernel = 3});
  EXPECT_EQ(analyse(graph).layers.back().receptive_width, 5 + 2 * 2);
}

TEST(ReceptiveField, OfDenseAndGlobalPoolIsTheWholeImage) {
  Graph graph;
  const Value x = conv(input(graph, {1, 20, 30}), {.out = 1, .kernel = 3, .pad = 1});
  dense(x, {.out = 2});
  global_average_pool(x);
  const Analysis analysis = analyse(graph);
  for (const int layer : {2, 3}) {
    EXPECT_EQ(analysis.layers[layer].receptive_height, 20);
    EXPECT_EQ(analysis.layers[layer].receptive_width, 30);
  }
}

TEST(ReceptiveField, NeverShrinks) {
  Graph graph;
  // Padding lets one output pixel see further than the image reaches.
  const Value x = conv(input(graph, {1, 4, 20}), {.out = 1, .kernel = 7, .pad = 3});
  global_average_pool(x);
  EXPECT_EQ(analyse(graph).layers.back().receptive_height, 7);
  EXPECT_EQ(analyse(graph).layers.back().receptive_width, 20);
}

TEST(Analysis, CountsActivationsAsPapersDo) {
  Graph graph;
  const Value x = input(graph, {3, 8, 8});
  const Value left = relu(batch_norm(conv(x, {.out = 4, .kernel = 3, .pad = 1})));
  const Value both = concat({left, max_pool(x, {.kernel = 3, .pad = 1})});
  softmax_cross_entropy(dense(flatten(dropout(both)), {.out = 10}));
  // The samples, the convolution, the pooling and the dense layer count.
  EXPECT_EQ(analyse(graph).counted_activations, 192 + 256 + 192 + 10);
}

}  // namespace
}  // namespace convoy
