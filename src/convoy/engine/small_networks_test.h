// Small networks that together have every operator, and batches for them.
#pragma once

#include <string>
#include <vector>

#include "convoy/base/rng.h"
#include "convoy/engine/network.h"
#include "convoy/graph/builder.h"

namespace convoy {

inline constexpr int kClasses = 5;

// Batch norm with identity, projection and padding shortcuts; channels that fill no block.
[[nodiscard]] inline Graph residual_network() {
  Graph graph;
  const auto conv3 = [](Value x, int out, int stride) {
    return conv(x, {.out = out, .kernel = 3, .stride = stride, .pad = 1, .bias = false});
  };
  Value x = relu(batch_norm(conv3(input(graph, {3, 8, 8}), 18, 1)));
  Value y = relu(batch_norm(conv3(x, 18, 1)));
  x = relu(add(batch_norm(conv3(y, 18, 1)), x));
  y = relu(batch_norm(conv3(x, 20, 2)));
  x = relu(add(batch_norm(conv3(y, 20, 1)), batch_norm(conv(x, {.out = 20, .stride = 2, .bias = false}))));
  y = batch_norm(conv3(x, 24, 2));
  x = relu(add(y, pad_channels(x, {.out = 24, .stride = 2})));
  softmax_cross_entropy(dense(flatten(global_average_pool(x)), {.out = kClasses}), {.label_smoothing = 0.1F});
  return graph;
}

// Branches of different kinds side by side, joined at channels in the middle of blocks; squared error.
[[nodiscard]] inline Graph branching_network() {
  Graph graph;
  const Value x = relu(conv(input(graph, {2, 9, 9}), {.out = 7, .kernel = 3, .pad = {1, 0, 1, 2}}));
  const Value one = relu(conv(x, {.out = 5}));
  const Value three = relu6(conv(x, {.out = 17, .kernel = 3, .pad = 1}));
  const Value dilated = conv(x, {.out = 6, .kernel = 3, .pad = 2, .dilation = 2});
  const Value pooled = lrn(max_pool(x, {.kernel = 3, .pad = 1}), {.alpha = 0.5F, .beta = 0.5F});
  const Value average = average_pool(x, {.kernel = 3, .pad = 1, .count_padding = false});
  const Value joined = concat({one, three, dilated, pooled, average});
  const Value small = average_pool(joined, {.kernel = 2, .stride = 2, .ceil = true});
  mean_squared_error(dense(relu(dense(flatten(small), {.out = 12})), {.out = kClasses}));
  return graph;
}

// One value read three times, twice by the same addition, and a depthwise layer.
[[nodiscard]] inline Graph thrice_read_network() {
  Graph graph;
  Value x = input(graph, {4, 7, 7});
  x = relu(conv(x, {.out = 12, .kernel = 3, .pad = 1}));
  const Value depthwise = conv(x, {.out = 12, .kernel = 3, .pad = 1, .groups = 12});
  const Value grouped = conv(x, {.out = 12, .kernel = 1, .groups = 3});
  const Value sum = relu(add(add(depthwise, x), grouped));
  const Value twice = add(sum, sum);
  const Value flat = flatten(max_pool(twice, {.kernel = 2, .stride = 2}));
  const Value row = add(flat, dense(flat, {.out = static_cast<int>(flat.shape().count())}));
  softmax_cross_entropy(dense(row, {.out = kClasses}));
  return graph;
}

[[nodiscard]] inline Graph dropout_network() {
  Graph graph;
  Value x = relu(conv(input(graph, {3, 8, 8}), {.out = 10, .kernel = 5, .stride = 2, .pad = 2}));
  x = dropout(x, {.rate = 0.25F});
  x = relu6(dense(flatten(x), {.out = 30}));
  x = dropout(x, {.rate = 0.5F});
  softmax_cross_entropy(dense(x, {.out = kClasses}));
  return graph;
}

// Smooth activations, on images whose channels fill no block and on rows; squared error of probabilities.
[[nodiscard]] inline Graph smooth_network() {
  Graph graph;
  Value x = sigmoid(conv(input(graph, {3, 8, 8}), {.out = 11, .kernel = 3, .pad = 1}));
  x = add(tanh(conv(x, {.out = 11, .kernel = 3, .pad = 1})), x);
  x = tanh(dense(flatten(max_pool(x, {.kernel = 2, .stride = 2})), {.out = 14}));
  mean_squared_error(softmax(dense(sigmoid(dense(x, {.out = 13})), {.out = kClasses})));
  return graph;
}

// Norms over each sample by itself, for images and rows.
[[nodiscard]] inline Graph sample_norm_network() {
  Graph graph;
  Value x = conv(input(graph, {3, 6, 6}), {.out = 12, .kernel = 3, .pad = 1, .bias = false});
  x = relu(group_norm(x, {.groups = 4}));
  x = layer_norm(conv(x, {.out = 10, .kernel = 3, .stride = 2, .pad = 1}));
  x = relu(layer_norm(dense(flatten(x), {.out = 15})));
  softmax_cross_entropy(dense(x, {.out = kClasses}));
  return graph;
}

[[nodiscard]] inline std::vector<std::pair<std::string, Graph>> small_networks() {
  return {{"residual", residual_network()}, {"branching", branching_network()}, {"thrice read", thrice_read_network()},
          {"dropout", dropout_network()},   {"smooth", smooth_network()},       {"sample norm", sample_norm_network()}};
}

// Samples and labels depend on their place in the data, whatever the size of the batch.
inline void fill_batch(Network& network, std::uint64_t seed, std::uint64_t first_sample = 0) {
  const std::size_t samples = network.labels().size();
  const std::size_t floats = network.input().size() / samples;
  for (std::size_t n = 0; n < samples; ++n) {
    Rng rng(seed, first_sample + n);
    network.labels()[n] = static_cast<std::int32_t>(rng.below(kClasses));
    for (float& x : network.input().subspan(n * floats, floats)) {
      x = rng.uniform(-1.5F, 1.5F);
    }
  }
}

// He's weights, with shifts, biases and scales that differ from their initial values, so that mistakes with them show.
inline void fill_parameters(Network& network, std::uint64_t seed) {
  ParameterStore& store = network.parameters();
  store.initialise(network.graph(), Initialiser::he_normal, seed);
  for (std::size_t i = 0; i < store.table().entries.size(); ++i) {
    Rng rng(seed, 1000 + i);
    auto plain = store.plain_parameter(static_cast<int>(i));
    for (float& p : plain) {
      p += rng.uniform(-0.1F, 0.1F);
    }
    store.set_parameter(static_cast<int>(i), plain);
  }
}

// Running statistics that differ from their initial values, for layers that use them.
inline void fill_statistics(Network& network, std::uint64_t seed) {
  ParameterStore& store = network.parameters();
  for (std::size_t i = 0; i < store.table().statistics.size(); ++i) {
    const bool is_variance = i % 2 == 1;
    Rng rng(seed, 2000 + i);
    auto plain = store.plain_statistics(static_cast<int>(i));
    for (float& s : plain) {
      s = is_variance ? rng.uniform(0.5F, 2.0F) : rng.uniform(-0.5F, 0.5F);
    }
    store.set_statistics(static_cast<int>(i), plain);
  }
}

// All gradients in the graph's order, plain; empty for a parameter that has none.
[[nodiscard]] inline std::vector<std::vector<float>> plain_gradients(const Network& network) {
  std::vector<std::vector<float>> gradients;
  for (std::size_t i = 0; i < network.parameters().table().entries.size(); ++i) {
    const auto index = static_cast<int>(i);
    const bool trainable = network.parameters().table().trainable(index);
    gradients.push_back(trainable ? network.parameters().plain_gradient(index) : std::vector<float>());
  }
  return gradients;
}

// p -= rate * g for everything that has a gradient.
inline void descend(Network& network, float rate) {
  const auto parameters = network.parameters().parameters();
  const auto gradients = network.parameters().gradients();
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    parameters[i] -= rate * gradients[i];
  }
  network.parameters().renew_copies();
}

}  // namespace convoy
