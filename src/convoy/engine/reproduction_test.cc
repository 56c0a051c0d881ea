// Saved choices reproduce a run: the same numbers to the last bit, including partial batches.
#include <gtest/gtest.h>

#include <algorithm>

#include "convoy/engine/network.h"
#include "convoy/engine/predictor.h"
#include "convoy/engine/random_graph_test.h"
#include "convoy/engine/small_networks_test.h"
#include "convoy/engine/untuned_test.h"

namespace convoy {
namespace {

// An epoch whose last batch is not full, and the beginning of the next.
void train_with_partial_batches(Network& network) {
  fill_parameters(network, 8);
  std::uint64_t step = 0;
  for (const std::int64_t batch : {6, 6, 4, 6, 1, 6}) {
    network.use_batch(batch);
    fill_batch(network, step);
    network.forward({.seed = 2, .step = step, .gradient_scale = 0.0F});
    network.backward();
    descend(network, 0.03F);
    ++step;
  }
}

void expect_same_state(ParameterStore& a, ParameterStore& b) {
  EXPECT_TRUE(std::ranges::equal(a.parameters(), b.parameters()));
  EXPECT_TRUE(std::ranges::equal(a.statistics(), b.statistics()));
}

TEST(Reproduction, ChoicesReproduceTraining) {
  for (const DataType precision : {DataType::fp32, DataType::bf16}) {
    for (const auto& [name, graph] : small_networks()) {
      SCOPED_TRACE(name + " in " + name_of(precision));
      Network first(graph, {.batch = 6, .threads = 2, .precision = precision});
      train_with_partial_batches(first);
      const Choices kept = choices_from_json(choices_to_json(first.choices()));
      Network again(graph, {.batch = 6, .threads = 2, .precision = precision, .choices = &kept});
      train_with_partial_batches(again);
      EXPECT_EQ(first.choices(), again.choices());
      expect_same_state(first.parameters(), again.parameters());
    }
  }
}

TEST(Reproduction, ChoicesReproduceFineTuning) {
  for (const auto& [name, graph] : small_networks()) {
    SCOPED_TRACE(name);
    const auto frozen = random_frozen(graph, 12);
    Network first(graph, {.batch = 6, .threads = 2, .frozen = frozen});
    train_with_partial_batches(first);
    const Choices kept = choices_from_json(choices_to_json(first.choices()));
    Network again(graph, {.batch = 6, .threads = 2, .choices = &kept, .frozen = frozen});
    train_with_partial_batches(again);
    EXPECT_EQ(first.choices(), again.choices());
    expect_same_state(first.parameters(), again.parameters());
  }
}

// Choices are those of the full batch even while a smaller one is in use, which may lack an implementation.
TEST(Reproduction, ChoicesAreThoseOfTheFullBatch) {
  Network network(residual_network(), {.batch = 6, .threads = 2});
  const Choices full = network.plan().choices;
  network.use_batch(1);
  EXPECT_EQ(network.choices(), full);
}

// Training can continue in a new network with the plain state of another.
TEST(Reproduction, TrainingGoesOnFromPlainState) {
  const Graph graph = residual_network();
  Network first(graph, {.batch = 6, .threads = 2});
  train_with_partial_batches(first);
  const Choices kept = first.choices();
  Network second(graph, {.batch = 6, .threads = 2, .choices = &kept});
  const auto& table = first.parameters().table();
  for (int i = 0; i < static_cast<int>(table.entries.size()); ++i) {
    second.parameters().set_parameter(i, first.parameters().plain_parameter(i));
  }
  for (int i = 0; i < static_cast<int>(table.statistics.size()); ++i) {
    second.parameters().set_statistics(i, first.parameters().plain_statistics(i));
  }
  for (Network* network : {&first, &second}) {
    for (const std::int64_t batch : {6, 2, 6}) {
      network->use_batch(batch);
      fill_batch(*network, 70);
      network->forward({.seed = 2, .step = 9, .gradient_scale = 0.0F});
      network->backward();
      descend(*network, 0.03F);
    }
  }
  expect_same_state(first.parameters(), second.parameters());
}

std::vector<float> predictions(Predictor& predictor) {
  std::vector<float> all;
  for (const std::int64_t batch : {6, 5, 1}) {
    predictor.use_batch(batch);
    Rng rng(4);
    std::ranges::generate(predictor.input(), [&] { return rng.uniform(-1.5F, 1.5F); });
    std::ranges::fill(predictor.labels(), 2);
    predictor.forward();
    all.insert(all.end(), predictor.logits().begin(), predictor.logits().end());
    all.insert(all.end(), predictor.losses().begin(), predictor.losses().end());
  }
  return all;
}

TEST(Reproduction, ChoicesReproducePredictions) {
  for (const auto& [name, graph] : small_networks()) {
    SCOPED_TRACE(name);
    const Choices any = untuned(graph);
    Network trained(graph, {.batch = 6, .threads = 2, .choices = &any});
    train_with_partial_batches(trained);
    Predictor first(graph, {.batch = 6, .threads = 2});
    first.load(trained.parameters());
    const auto expected = predictions(first);
    const Choices kept = choices_from_json(choices_to_json(first.choices()));
    Predictor again(graph, {.batch = 6, .threads = 2, .choices = &kept});
    again.load(trained.parameters());
    EXPECT_EQ(again.choices(), first.choices());
    EXPECT_EQ(predictions(again), expected);
  }
}

}  // namespace
}  // namespace convoy
