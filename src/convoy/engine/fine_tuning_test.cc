// Networks of which only a part is trained: frozen parameters do not change by a bit, and the rest learns as if nothing
// were frozen.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "convoy/base/error.h"
#include "convoy/engine/closeness_test.h"
#include "convoy/engine/network.h"
#include "convoy/engine/predictor.h"
#include "convoy/engine/random_graph_test.h"
#include "convoy/engine/small_networks_test.h"
#include "convoy/engine/untuned_test.h"

namespace convoy {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;
using Names = std::set<std::string>;

// All parameters except those whose names begin with `head`.
Names all_but(const Graph& graph, const std::string& head) {
  Names names;
  for (const Parameter& parameter : parameters_of(graph)) {
    if (!parameter.name.starts_with(head)) names.insert(parameter.name);
  }
  return names;
}

void step(Network& network, std::uint64_t seed) {
  fill_batch(network, seed);
  network.forward({.seed = seed, .step = 5, .gradient_scale = 0.0F});
  network.backward();
}

// If batch norms are not frozen, freezing does not change the gradients of the others.
void expect_gradients_of_the_whole(const Graph& graph, const Names& frozen, std::uint64_t seed) {
  const Choices choices = untuned(graph);
  Network whole(graph, {.batch = 4, .threads = 2, .choices = &choices});
  Network part(graph, {.batch = 4, .threads = 2, .choices = &choices, .frozen = frozen});
  for (Network* network : {&whole, &part}) {
    fill_parameters(*network, seed);
    step(*network, seed);
  }
  EXPECT_TRUE(std::ranges::equal(whole.logits(), part.logits()));
  const auto expected = plain_gradients(whole);
  const auto gradients = plain_gradients(part);
  const auto& entries = part.parameters().table().entries;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string& name = entries[i].parameter.name;
    EXPECT_EQ(gradients[i], frozen.contains(name) ? std::vector<float>() : expected[i]) << name;
  }
}

TEST(FineTuning, GradientsAreThoseOfTheWholeNetwork) {
  for (const auto& [name, graph] : small_networks()) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      SCOPED_TRACE(name);
      expect_gradients_of_the_whole(graph, random_frozen(graph, seed, FreezeBatchNorm::no), seed);
    }
  }
}

TEST(FineTuning, GradientsAreThoseOfTheWholeGeneratedNetwork) {
  for (std::uint64_t seed = 600; seed < 625; ++seed) {
    SCOPED_TRACE(seed);
    const Graph graph = random_graph(seed);
    expect_gradients_of_the_whole(graph, random_frozen(graph, seed, FreezeBatchNorm::no), seed);
  }
}

// Copies of everything, by name.
std::map<std::string, std::vector<float>> state_of(const Network& network) {
  const ParameterStore& store = network.parameters();
  std::map<std::string, std::vector<float>> state;
  for (std::size_t i = 0; i < store.table().entries.size(); ++i) {
    state[store.table().entries[i].parameter.name] = store.plain_parameter(static_cast<int>(i));
  }
  for (std::size_t i = 0; i < store.table().statistics.size(); ++i) {
    state[store.table().statistics[i].name] = store.plain_statistics(static_cast<int>(i));
  }
  return state;
}

// "bn1.running_mean" -> "bn1.weight": what decides whether statistics move.
std::string owner_of(const std::string& name) {
  const auto at = name.find(".running_");
  return at == std::string::npos ? name : name.substr(0, at) + ".weight";
}

void expect_only_the_rest_moves(const Graph& graph, const Names& frozen, std::uint64_t seed) {
  const Choices choices = untuned(graph);
  Network network(graph, {.batch = 4, .threads = 2, .choices = &choices, .frozen = frozen});
  fill_parameters(network, seed);
  fill_statistics(network, seed);
  const auto before = state_of(network);
  for (const std::int64_t batch : {4, 4, 3, 4}) {
    network.use_batch(batch);
    step(network, seed + static_cast<std::uint64_t>(batch));
    descend(network, 0.05F);
  }
  for (const auto& [name, values] : state_of(network)) {
    if (frozen.contains(owner_of(name))) {
      EXPECT_EQ(values, before.at(name)) << name;
    } else if (name.find(".running_") != std::string::npos) {
      EXPECT_NE(values, before.at(name)) << name;  // parameters need not change: a ReLU may be zero for all samples
    }
  }
}

TEST(FineTuning, WhatIsFrozenStaysToTheBit) {
  for (const auto& [name, graph] : small_networks()) {
    for (std::uint64_t seed = 20; seed < 24; ++seed) {
      SCOPED_TRACE(name);
      expect_only_the_rest_moves(graph, random_frozen(graph, seed), seed);
    }
  }
  for (std::uint64_t seed = 630; seed < 650; ++seed) {
    SCOPED_TRACE(seed);
    const Graph graph = random_graph(seed);
    expect_only_the_rest_moves(graph, random_frozen(graph, seed), seed);
  }
}

TEST(FineTuning, AHeadLearnsOverAFrozenBody) {
  const Graph graph = residual_network();
  Network network(graph, {.batch = 4, .threads = 2, .frozen = all_but(graph, "dense1")});
  fill_parameters(network, 1);
  fill_statistics(network, 1);
  step(network, 1);
  const double before = network.loss();
  for (int i = 0; i < 20; ++i) {
    descend(network, 0.1F);
    step(network, 1);
  }
  EXPECT_LT(network.loss(), 0.8 * before);
}

// In training, a frozen body computes what it computes in prediction.
TEST(FineTuning, AFrozenBodyWorksWithRunningStatistics) {
  const Graph graph = residual_network();
  Network network(graph, {.batch = 4, .threads = 2, .exact = true, .frozen = all_but(graph, "dense1")});
  fill_parameters(network, 1);
  fill_statistics(network, 1);
  fill_batch(network, 1);
  network.forward();
  Predictor predictor(graph, {.batch = 4, .threads = 2, .exact = true, .frozen = all_but(graph, "dense1")});
  predictor.load(network.parameters());
  std::ranges::copy(network.input(), predictor.input().begin());
  std::ranges::copy(network.labels(), predictor.labels().begin());
  predictor.forward();
  EXPECT_TRUE(close(network.logits(), predictor.logits(), 1e-4));
}

TEST(FineTuning, APartialBatchEqualsAPlanOfThatSize) {
  const Graph graph = residual_network();
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(seed);
    const Names frozen = random_frozen(graph, seed);
    Network full(graph, {.batch = 6, .threads = 2, .exact = true, .frozen = frozen});
    Network small(graph, {.batch = 4, .threads = 2, .exact = true, .frozen = frozen});
    full.use_batch(4);
    for (Network* network : {&full, &small}) {
      fill_parameters(*network, seed);
      fill_statistics(*network, seed);
      step(*network, seed);
    }
    const auto expected = plain_gradients(small);
    const auto gradients = plain_gradients(full);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_TRUE(close_above(gradients[i], expected[i], 1e-3, 1e-6)) << "parameter " << i;
    }
  }
}

TEST(FineTuning, NothingIsTrainedWhenEverythingIsFrozen) {
  const Graph graph = residual_network();
  Network network(graph, {.batch = 4, .threads = 2, .frozen = all_but(graph, "none")});
  fill_parameters(network, 1);
  fill_batch(network, 1);
  network.forward();
  EXPECT_GT(network.loss(), 0);
  network.backward([](const ArenaSlice&) { ADD_FAILURE() << "nothing can become ready"; });
  EXPECT_TRUE(network.parameters().gradients().empty());
}

Graph deep_network() {
  Graph graph;
  Value x = input(graph, {3, 16, 16});
  for (int i = 0; i < 12; ++i) {
    x = relu(batch_norm(conv(x, {.out = 32, .kernel = 3, .pad = 1, .bias = false})));
  }
  softmax_cross_entropy(dense(flatten(global_average_pool(x)), {.out = kClasses, .name = "head"}));
  return graph;
}

// Nothing is kept for a backward pass that does not happen: working memory is that of prediction, plus what the head
// itself needs.
TEST(FineTuning, AFrozenBodyKeepsNothing) {
  const Graph graph = deep_network();
  const Choices choices = untuned(graph);
  const auto bytes = [&](bool training, const Names& frozen) {
    return compile(graph, {.batch = 8, .threads = 2, .training = training, .choices = &choices, .frozen = frozen})
        .memory.bytes;
  };
  const std::size_t whole = bytes(true, {});
  const std::size_t head = bytes(true, all_but(graph, "head"));
  EXPECT_LT(head, whole / 5);
  EXPECT_LT(head, bytes(false, {}) * 11 / 10);
  // Training only the last block takes a little more memory, and far less than training all.
  Names body = all_but(graph, "head");
  for (const char* name : {"conv12.weight", "batch_norm12.weight", "batch_norm12.bias"}) body.erase(name);
  const std::size_t block = bytes(true, body);
  EXPECT_GT(block, head);
  EXPECT_LT(block, whole / 3);
}

TEST(FineTuning, GradientsTakeMemoryForWhatIsTrainedOnly) {
  const Graph graph = deep_network();
  const Choices choices = untuned(graph);
  const Network network(graph, {.batch = 2, .threads = 2, .choices = &choices, .frozen = all_but(graph, "head")});
  const auto& table = network.parameters().table();
  EXPECT_EQ(table.trainable_floats, 32U * kClasses + 16U);
  EXPECT_GT(table.arena_floats, 100'000U);
}

// The choices of full training have everything that fine-tuning needs, but not the other way round.
TEST(FineTuning, TakesChoicesOfFullTraining) {
  const Graph graph = dropout_network();
  const Names frozen = {"dense1.weight", "dense1.bias"};
  const Choices full = compile(graph, {.batch = 2, .threads = 2}).choices;
  const Choices part = compile(graph, {.batch = 2, .threads = 2, .choices = &full, .frozen = frozen}).choices;
  EXPECT_EQ(part.at("dense1").backward_data, full.at("dense1").backward_data);
  EXPECT_EQ(part.at("dense1").backward_weights, "");
  EXPECT_EQ(part.at("conv1"), full.at("conv1"));
  EXPECT_EQ(compile(graph, {.batch = 2, .threads = 2, .choices = &part, .frozen = frozen}).choices, part);
  EXPECT_THAT([&] { (void)compile(graph, {.batch = 2, .threads = 2, .choices = &part}); },
              ThrowsMessage<UserError>(HasSubstr("layer \"dense1\" for backward weights")));
}

}  // namespace
}  // namespace convoy
