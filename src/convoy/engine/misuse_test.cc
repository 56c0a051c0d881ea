// The errors for programs that use the engine wrongly: which layer, sample or parameter, and what would be right.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/engine/network.h"
#include "convoy/engine/predictor.h"
#include "convoy/engine/small_networks_test.h"
#include "convoy/engine/untuned_test.h"

namespace convoy {
namespace {

testing::AssertionResult refused(const std::function<void()>& action, const std::string& part) {
  return throws_with<UserError>(action, part);
}

Graph without_loss() {
  Graph graph;
  dense(relu(conv(input(graph, {3, 8, 8}), {.out = 4, .kernel = 3})), {.out = kClasses, .name = "head"});
  return graph;
}

Network small_network(const Graph& graph, bool training = true) {
  const Choices choices = untuned(graph);
  Network network(graph, {.batch = 4, .threads = 1, .training = training, .choices = &choices});
  network.parameters().initialise(graph, Initialiser::he_normal, 1);
  return network;
}

TEST(Misuse, LabelsThatAreNoClassAreNamedWithTheirSample) {
  for (const Graph& graph : {dropout_network(), branching_network()}) {  // one for each loss
    Network network = small_network(graph);
    for (const std::int32_t wrong : {kClasses, 100'000'000, -1, std::numeric_limits<std::int32_t>::min()}) {
      fill_batch(network, 1);
      network.labels()[2] = wrong;
      EXPECT_TRUE(refused([&] { network.forward(); },
                          fmt::format("sample 2 of the batch of 4 has label {}, but there are 5 classes", wrong)));
      EXPECT_TRUE(refused([&] { network.forward(); }, "layer \"" + graph.layers().back().name + "\""));
    }
    network.labels()[2] = kClasses - 1;
    EXPECT_NO_THROW(network.forward());
  }
}

TEST(Misuse, LabelsOfAPredictorAreCheckedToo) {
  Predictor predictor(dropout_network(), {.batch = 4});
  predictor.labels()[3] = kClasses;
  EXPECT_TRUE(refused([&] { predictor.forward(); }, "sample 3 of the batch of 4 has label 5"));
}

// Executors for different batch sizes share their memory, and activations must not be mistaken for labels.
TEST(Misuse, LabelsAreZeroAfterAChangeOfTheBatch) {
  Network network = small_network(dropout_network());
  fill_batch(network, 1);
  network.forward();
  for (const std::int64_t batch : {3, 4, 1}) {
    network.use_batch(batch);
    for (const std::int32_t label : network.labels()) EXPECT_EQ(label, 0);
    std::ranges::fill(network.labels(), 1);
    network.use_batch(batch);
    for (const std::int32_t label : network.labels()) EXPECT_EQ(label, 1) << "the size did not change";
    network.forward();
  }
}

TEST(Misuse, TrainingNeedsALoss) {
  const Graph graph = without_loss();
  EXPECT_TRUE(refused([&] { (void)compile(graph, {}); }, "the graph ends with layer \"head\" (5)"));
  EXPECT_TRUE(refused([&] { (void)compile(Graph(), {.training = false}); }, "the graph is empty"));
  Network network = small_network(graph, /*training=*/false);
  EXPECT_TRUE(network.labels().empty());
  network.forward();
  EXPECT_EQ(network.logits().size(), 4U * kClasses);
  EXPECT_TRUE(refused([&] { (void)network.loss(); }, "no loss: its graph ends with layer \"head\""));
}

TEST(Misuse, BackwardComesAfterItsForward) {
  Network network = small_network(dropout_network());
  fill_batch(network, 1);
  EXPECT_TRUE(refused([&] { network.backward(); }, "backward needs a forward of the same batch (4 samples)"));
  network.forward();
  network.backward();
  // Its values are used up: their memory now holds gradients.
  EXPECT_TRUE(refused([&] { network.backward(); }, "a new one each time"));
  network.forward();
  network.use_batch(2);
  EXPECT_TRUE(refused([&] { network.backward(); }, "(2 samples)"));
  network.use_batch(4);
  EXPECT_TRUE(refused([&] { network.backward(); }, "(4 samples)"));
}

TEST(Misuse, WhatPredictsHasNoBackward) {
  Network network = small_network(dropout_network(), /*training=*/false);
  network.forward();
  EXPECT_TRUE(refused([&] { network.backward(); }, "compiled with training = true"));
}

TEST(Misuse, SizesOutOfRangeAreNamed) {
  const Graph graph = dropout_network();
  EXPECT_TRUE(refused([&] { (void)compile(graph, {.batch = 0}); }, "a batch of 0"));
  EXPECT_TRUE(refused([&] { (void)compile(graph, {.threads = 0}); }, "0 threads"));
  Network network = small_network(graph);
  EXPECT_TRUE(refused([&] { network.use_batch(5); }, "cannot use a batch of 5: the network was compiled for 4"));
  Profile profile(3);
  EXPECT_TRUE(refused([&] { network.forward({}, &profile); }, "the profile has 3 entries"));
}

TEST(Misuse, ParametersAreNamedWithTheirShape) {
  Network network = small_network(dropout_network());
  ParameterStore& store = network.parameters();
  EXPECT_TRUE(refused([&] { (void)store.table().find("conv1.weigth"); }, "did you mean \"conv1.weight\"?"));
  const int weight = store.table().find("conv1.weight");
  EXPECT_TRUE(refused([&] { store.set_parameter(weight, std::vector<float>(7)); },
                      "\"conv1.weight\" is 10x3x5x5: 750 values, got 7"));
  EXPECT_TRUE(refused([&] { (void)store.plain_parameter(6); }, "no parameter 6: the network has 6"));
  EXPECT_TRUE(refused([&] { (void)store.plain_parameter(-1); }, "no parameter -1"));
  EXPECT_TRUE(refused([&] { (void)store.plain_statistics(0); }, "no running statistics 0: the network has 0"));
  Network normed = small_network(residual_network());
  EXPECT_TRUE(refused([&] { normed.parameters().set_statistics(0, std::vector<float>(3)); },
                      "\"batch_norm1.running_mean\" is 18: 18 values, got 3"));
  EXPECT_TRUE(refused([&] { (void)normed.parameters().table().find_statistics("batch_norm1.mean"); },
                      "no running statistics \"batch_norm1.mean\""));
}

TEST(Misuse, FrozenParametersHaveNoGradient) {
  const Graph graph = dropout_network();
  const Choices choices = untuned(graph);
  const Network network(graph, {.batch = 2, .choices = &choices, .frozen = {"conv1.weight"}});
  const ParameterStore& store = network.parameters();
  EXPECT_TRUE(refused([&] { (void)store.plain_gradient(store.table().find("conv1.weight")); },
                      "\"conv1.weight\" has no gradient: it is frozen"));
}

TEST(Misuse, AnotherNetworksParametersAreRefused) {
  const Graph graph = dropout_network();
  const Graph other = branching_network();
  Network network = small_network(graph);
  EXPECT_TRUE(refused([&] { network.parameters().initialise(other, Initialiser::he_normal, 1); }, "another graph"));
  EXPECT_TRUE(refused([&] { (void)compile(other, {.parameters = &network.plan().parameters}); },
                      "the parameters are laid out for another network: \"conv1.weight\""));
  Predictor predictor(other, {.batch = 2});
  EXPECT_TRUE(refused([&] { predictor.load(network.parameters()); }, "\"conv1.weight\" is 7x2x3x3"));
  Plan plan = compile(other, {.batch = 2});
  EXPECT_TRUE(refused(
      [&] {
        Network(other, std::move(plan),
                std::make_unique<ParameterStore>(network.plan().device, network.plan().parameters));
      },
      "not laid out as in the plan"));
}

}  // namespace
}  // namespace convoy
