// What callers read from a network after a step: logits, losses and gradients.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "convoy/engine/closeness_test.h"
#include "convoy/engine/network.h"
#include "convoy/engine/predictor.h"
#include "convoy/engine/random_graph_test.h"
#include "convoy/engine/small_networks_test.h"
#include "convoy/engine/untuned_test.h"

namespace convoy {
namespace {

// The loss of a sample, computed from its logits by definition.
double loss_by_definition(const Operator& op, std::span<const float> logits, std::int32_t label) {
  const auto classes = static_cast<double>(logits.size());
  double exp_sum = 0;
  for (const float x : logits) exp_sum += std::exp(static_cast<double>(x));
  double loss = 0;
  for (std::size_t k = 0; k < logits.size(); ++k) {
    const double hit = static_cast<std::int32_t>(k) == label ? 1 : 0;
    if (const auto* entropy = std::get_if<op::SoftmaxCrossEntropy>(&op)) {
      const double target = (1 - entropy->label_smoothing) * hit + entropy->label_smoothing / classes;
      loss -= target * (logits[k] - std::log(exp_sum));
    } else {
      loss += (logits[k] - hit) * (logits[k] - hit) / classes;
    }
  }
  return loss;
}

// Logits and losses of each sample belong together, and to the sample's label.
template <typename Net>
void expect_losses_of_logits(const Graph& graph, Net& net) {
  const std::size_t samples = net.labels().size();
  ASSERT_EQ(net.logits().size(), samples * kClasses);
  ASSERT_EQ(net.losses().size(), samples);
  double sum = 0;
  for (std::size_t n = 0; n < samples; ++n) {
    const double expected =
        loss_by_definition(graph.layers().back().op, net.logits().subspan(n * kClasses, kClasses), net.labels()[n]);
    EXPECT_NEAR(net.losses()[n], expected, 1e-4 * (1 + std::abs(expected))) << "sample " << n;
    sum += net.losses()[n];
  }
  EXPECT_NEAR(net.loss(), sum / static_cast<double>(samples), 1e-6 * std::abs(sum));
}

void expect_outputs(const Graph& graph, bool fuse) {
  const Choices choices = untuned(graph);
  Network network(graph, {.batch = 4, .threads = 2, .fuse = fuse, .choices = &choices});
  fill_parameters(network, 3);
  for (const std::int64_t batch : {4, 3}) {
    network.use_batch(batch);
    fill_batch(network, 3);
    network.forward();
    expect_losses_of_logits(graph, network);
    // Backward does not change them, so counting may wait until the step is over.
    const std::vector<float> logits(network.logits().begin(), network.logits().end());
    const std::vector<float> losses(network.losses().begin(), network.losses().end());
    network.backward();
    EXPECT_TRUE(std::ranges::equal(network.logits(), logits));
    EXPECT_TRUE(std::ranges::equal(network.losses(), losses));
  }
}

TEST(Outputs, LossesAreThoseOfTheLogits) {
  for (const bool fuse : {true, false}) {
    for (const auto& [name, graph] : small_networks()) {
      SCOPED_TRACE(name);
      expect_outputs(graph, fuse);
    }
    for (std::uint64_t seed = 500; seed < 520; ++seed) {
      SCOPED_TRACE(seed);
      expect_outputs(random_graph(seed), fuse);
    }
  }
}

// Scores that an activation computes, that are read twice, or that are an image's: unusual ends of networks.
TEST(Outputs, LossesAreThoseOfTheLogitsWhateverMakesThem) {
  for (const bool fuse : {true, false}) {
    for (int kind = 0; kind < 4; ++kind) {
      SCOPED_TRACE(kind);
      Graph graph;
      const Value x = relu(conv(input(graph, {3, 6, 6}), {.out = kClasses, .kernel = 3}));
      const Value row = relu(dense(x, {.out = kClasses}));
      const Value flat = flatten(global_average_pool(x));
      const Value ends[] = {row, add(row, row), flat, dropout(row)};
      if (kind % 2 == 0) {
        mean_squared_error(ends[kind]);
      } else {
        softmax_cross_entropy(ends[kind]);
      }
      expect_outputs(graph, fuse);
    }
  }
}

TEST(Outputs, APredictorsLossesAreThoseOfItsLogits) {
  for (const auto& [name, graph] : small_networks()) {
    SCOPED_TRACE(name);
    const Choices choices = untuned(graph);
    Network network(graph, {.batch = 4, .threads = 2, .choices = &choices});
    fill_parameters(network, 3);
    Predictor predictor(graph, {.batch = 4, .threads = 2});
    predictor.load(network.parameters());
    for (const std::int64_t batch : {4, 3}) {
      predictor.use_batch(batch);
      Rng rng(5);
      std::ranges::generate(predictor.input(), [&] { return rng.uniform(-1.5F, 1.5F); });
      std::ranges::generate(predictor.labels(), [&] { return static_cast<std::int32_t>(rng.below(kClasses)); });
      predictor.forward();
      EXPECT_EQ(predictor.batch(), batch);
      expect_losses_of_logits(graph, predictor);
    }
  }
}

TEST(Outputs, BackwardOverwritesGradients) {
  for (const auto& [name, graph] : small_networks()) {
    SCOPED_TRACE(name);
    Network network(graph, {.batch = 4, .threads = 2});
    fill_parameters(network, 3);
    fill_batch(network, 3);
    network.forward();
    network.backward();
    const auto expected = plain_gradients(network);
    std::ranges::fill(network.parameters().gradients(), std::numeric_limits<float>::quiet_NaN());
    network.forward();
    network.backward();
    EXPECT_EQ(plain_gradients(network), expected);
  }
}

// The gradients of two halves of a batch, summed slice by slice as they become ready, are the gradient of the whole.
TEST(Outputs, GradientsCanBeGatheredOverBatches) {
  const Graph graph = branching_network();  // without batch norm, whose results depend on the batch
  Network network(graph, {.batch = 4, .threads = 2, .exact = true});
  ParameterStore& store = network.parameters();
  fill_parameters(network, 3);
  fill_batch(network, 3);
  network.forward();
  network.backward();
  const std::vector<float> whole(store.gradients().begin(), store.gradients().end());
  std::vector<float> sum(whole.size(), 0.0F);
  network.use_batch(2);
  for (const std::uint64_t first : {0U, 2U}) {
    fill_batch(network, 3, first);
    network.forward({.first_sample = first, .gradient_scale = 0.25F});
    network.backward([&](const ArenaSlice& slice) {
      for (std::size_t i = slice.offset; i < slice.offset + slice.count; ++i) sum[i] += store.gradients()[i];
    });
  }
  EXPECT_TRUE(close(sum, whole, 1e-5));
}

}  // namespace
}  // namespace convoy
