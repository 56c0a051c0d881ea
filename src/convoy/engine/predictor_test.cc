#include "convoy/engine/predictor.h"

#include <gtest/gtest.h>

#include "convoy/engine/closeness_test.h"
#include "convoy/engine/random_graph_test.h"
#include "convoy/engine/small_networks_test.h"
#include "convoy/engine/untuned_test.h"
#include "convoy/graph/builder.h"

namespace convoy {
namespace {

// Takes a few steps, so that weights, scales, shifts and running statistics all differ from their initial values.
void train(Network& network) {
  fill_parameters(network, 5);
  for (std::uint64_t step = 0; step < 6; ++step) {
    fill_batch(network, 100 + step);
    network.forward({.seed = 1, .step = step, .gradient_scale = 0.0F});
    network.backward();
    descend(network, 0.02F);
  }
}

// Copies everything by name into a network of the same graph that evaluates with unfolded batch norm.
void copy_parameters(const ParameterStore& from, ParameterStore& to) {
  for (std::size_t i = 0; i < from.table().entries.size(); ++i) {
    to.set_parameter(to.table().find(from.table().entries[i].parameter.name),
                     from.plain_parameter(static_cast<int>(i)));
  }
  for (std::size_t i = 0; i < from.table().statistics.size(); ++i) {
    to.set_statistics(static_cast<int>(i), from.plain_statistics(static_cast<int>(i)));
  }
}

template <typename Net>
void fill_with(Net& net, std::uint64_t seed) {
  Rng rng(seed);
  for (float& x : net.input()) {
    x = rng.uniform(-1.5F, 1.5F);
  }
  for (std::int32_t& label : net.labels()) {
    label = static_cast<std::int32_t>(rng.below(kClasses));
  }
}

void expect_same_predictions(const Graph& graph, Network& trained) {
  Network evaluation(graph, {.batch = 4, .threads = 2, .training = false, .exact = true});
  copy_parameters(trained.parameters(), evaluation.parameters());
  Predictor predictor(graph, {.batch = 4, .threads = 2});
  predictor.load(trained.parameters());
  for (const std::int64_t batch : {4, 1, 3, 4}) {
    SCOPED_TRACE(batch);
    evaluation.use_batch(batch);
    predictor.use_batch(batch);
    fill_with(evaluation, 31);
    fill_with(predictor, 31);
    evaluation.forward();
    predictor.forward();
    ASSERT_EQ(predictor.logits().size(), static_cast<std::size_t>(batch * kClasses));
    EXPECT_TRUE(close(predictor.logits(), evaluation.logits(), 3e-4));
    EXPECT_NEAR(predictor.loss(), evaluation.loss(), 3e-4 * evaluation.loss());
  }
}

TEST(Predictor, AgreesWithTheUnfoldedNetwork) {
  for (const auto& [name, graph] : small_networks()) {
    SCOPED_TRACE(name);
    Network trained(graph, {.batch = 6, .threads = 2});
    train(trained);
    expect_same_predictions(graph, trained);
  }
}

TEST(Predictor, AgreesInGeneratedNetworks) {
  for (std::uint64_t seed = 400; seed < 412; ++seed) {
    SCOPED_TRACE(seed);
    const Graph graph = random_graph(seed, 8);
    const Choices choices = untuned(graph);
    Network trained(graph, {.batch = 6, .threads = 2, .choices = &choices});
    train(trained);
    expect_same_predictions(graph, trained);
  }
}

// The running statistics must be used: batch norm with those of the batch itself gives other numbers.
TEST(Predictor, UsesRunningStatistics) {
  const Graph graph = residual_network();
  Network trained(graph, {.batch = 4, .threads = 2});
  train(trained);
  fill_with(trained, 31);
  trained.forward();
  Predictor predictor(graph, {.batch = 4, .threads = 2});
  predictor.load(trained.parameters());
  fill_with(predictor, 31);
  predictor.forward();
  EXPECT_FALSE(close(predictor.logits(), trained.logits(), 1e-2));
}

TEST(Predictor, TakesUpWhatWasLearntSince) {
  const Graph graph = residual_network();
  Network trained(graph, {.batch = 4, .threads = 2});
  Predictor predictor(graph, {.batch = 4, .threads = 2});
  train(trained);
  predictor.load(trained.parameters());
  fill_with(predictor, 31);
  predictor.forward();
  const std::vector<float> before(predictor.logits().begin(), predictor.logits().end());
  fill_batch(trained, 77);
  trained.forward();
  trained.backward();
  descend(trained, 0.2F);
  predictor.load(trained.parameters());
  predictor.forward();
  EXPECT_FALSE(close(predictor.logits(), before, 1e-3));
}

int count_of(const Graph& graph, const char* kind) {
  int count = 0;
  for (const Layer& layer : graph.layers()) {
    count += std::string(kind_of(layer.op)) == kind ? 1 : 0;
  }
  return count;
}

TEST(FoldBatchNorm, RemovesDropoutAndBatchNormBehindConvolutions) {
  const FoldedGraph residual = fold_batch_norm(residual_network());
  EXPECT_EQ(count_of(residual.graph, "batch_norm"), 0);
  EXPECT_EQ(residual.folds.size(), 7U);
  EXPECT_EQ(count_of(fold_batch_norm(dropout_network()).graph, "dropout"), 0);
}

TEST(FoldBatchNorm, KeepsBatchNormThatCannotBeFolded) {
  Graph graph;
  const Value x = batch_norm(input(graph, {3, 6, 6}));
  const Value c = conv(x, {.out = 4});
  const Value both = add(batch_norm(c), c);
  softmax_cross_entropy(dense(batch_norm(relu(both)), {.out = kClasses}));
  const FoldedGraph folded = fold_batch_norm(graph);
  EXPECT_EQ(count_of(folded.graph, "batch_norm"), 3);
  EXPECT_TRUE(folded.folds.empty());
  Network trained(graph, {.batch = 6, .threads = 2});
  train(trained);
  expect_same_predictions(graph, trained);
}

TEST(FoldBatchNorm, KeepsTheBiasOfTheConvolution) {
  Graph graph;
  Value x = batch_norm(conv(input(graph, {3, 6, 6}), {.out = 20, .kernel = 3, .bias = true}));
  x = batch_norm(conv(x, {.out = 20, .kernel = 3, .groups = 4, .bias = true}));
  softmax_cross_entropy(dense(x, {.out = kClasses}));
  Network trained(graph, {.batch = 6, .threads = 2});
  train(trained);
  expect_same_predictions(graph, trained);
}

}  // namespace
}  // namespace convoy
