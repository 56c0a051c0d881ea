// When gradients are complete, and what callers can rely on then.
#include <gtest/gtest.h>

#include <algorithm>

#include "convoy/engine/network.h"
#include "convoy/engine/random_graph_test.h"
#include "convoy/engine/small_networks_test.h"
#include "convoy/engine/untuned_test.h"
#include "convoy/graph/builder.h"

namespace convoy {
namespace {

// Runs a step and keeps what each slice contained when it was reported ready.
std::vector<float> gradients_when_ready(Network& network) {
  std::vector<float> seen(network.parameters().gradients().size());
  std::size_t next = 0;
  network.forward();
  // What an earlier step left must not be mistaken for this step's.
  std::ranges::fill(network.parameters().gradients(), 0.0F);
  network.backward([&](const ArenaSlice& slice) {
    EXPECT_EQ(slice.offset, next) << "slices follow each other without gaps";
    EXPECT_GT(slice.count, 0U);
    next = slice.offset + slice.count;
    const auto now = network.parameters().gradients().subspan(slice.offset, slice.count);
    std::ranges::copy(now, seen.begin() + static_cast<std::ptrdiff_t>(slice.offset));
  });
  EXPECT_EQ(next, network.parameters().table().trainable_floats);
  return seen;
}

TEST(Readiness, SlicesCoverTheArenaInOrderAndAreFinal) {
  for (const auto& [name, graph] : small_networks()) {
    SCOPED_TRACE(name);
    Network network(graph, {.batch = 4, .threads = 2});
    fill_parameters(network, 1);
    for (const std::int64_t batch : {4, 3}) {
      network.use_batch(batch);
      fill_batch(network, 1);
      const auto seen = gradients_when_ready(network);
      EXPECT_TRUE(std::ranges::equal(seen, network.parameters().gradients()));
    }
  }
}

TEST(Readiness, HoldsInGeneratedNetworks) {
  for (std::uint64_t seed = 300; seed < 320; ++seed) {
    SCOPED_TRACE(seed);
    const Graph graph = random_graph(seed);
    const Choices choices = untuned(graph);
    Network network(graph, {.batch = 2, .threads = 2, .choices = &choices});
    fill_parameters(network, seed);
    fill_batch(network, seed);
    const auto seen = gradients_when_ready(network);
    EXPECT_TRUE(std::ranges::equal(seen, network.parameters().gradients()));
  }
}

TEST(Readiness, HoldsInFrozenNetworks) {
  for (std::uint64_t seed = 320; seed < 345; ++seed) {
    SCOPED_TRACE(seed);
    const Graph graph = random_graph(seed);
    const Choices choices = untuned(graph);
    const auto frozen = random_frozen(graph, seed);
    Network network(graph, {.batch = 2, .threads = 2, .choices = &choices, .frozen = frozen});
    fill_parameters(network, seed);
    fill_batch(network, seed);
    const auto& table = network.parameters().table();
    for (std::size_t i = 0; i < table.entries.size(); ++i) {
      const std::string& name = table.entries[i].parameter.name;
      EXPECT_EQ(table.trainable(static_cast<int>(i)), !frozen.contains(name)) << name;
    }
    const auto seen = gradients_when_ready(network);
    EXPECT_EQ(network.parameters().gradients().size(), table.trainable_floats);
    EXPECT_TRUE(std::ranges::equal(seen, network.parameters().gradients()));
  }
}

// What an optimizer that updates early relies on: nothing later in the step reads the parameter.
TEST(Readiness, ParametersMayBeOverwrittenOnceReady) {
  for (const auto& [name, graph] : small_networks()) {
    SCOPED_TRACE(name);
    Network network(graph, {.batch = 4, .threads = 2});
    fill_parameters(network, 1);
    fill_batch(network, 1);
    network.forward();
    network.backward();
    const std::vector<float> expected(network.parameters().gradients().begin(), network.parameters().gradients().end());
    network.forward();
    network.backward([&](const ArenaSlice& slice) {
      std::ranges::fill(network.parameters().parameters().subspan(slice.offset, slice.count), 1e6F);
    });
    EXPECT_TRUE(std::ranges::equal(expected, network.parameters().gradients()));
  }
}

TEST(Readiness, TheLastLayerIsReadyFirst) {
  Network network(dropout_network(), {.batch = 2, .threads = 2});
  const auto& table = network.parameters().table();
  const auto name_of_ready = [&](std::size_t i) {
    return table.entries[static_cast<std::size_t>(table.readiness[i])].parameter.name;
  };
  EXPECT_EQ(name_of_ready(0), "dense2.weight");
  EXPECT_EQ(name_of_ready(table.readiness.size() - 1), "conv1.bias");
}

TEST(Readiness, AParameterWithoutInfluenceIsNeverReadyAndLiesLast) {
  Graph graph;
  const Value x = relu(conv(input(graph, {3, 6, 6}), {.out = 4, .name = "used"}));
  conv(x, {.out = 4, .name = "unused"});
  softmax_cross_entropy(dense(x, {.out = kClasses, .name = "last"}));
  Network network(graph, {.batch = 2, .threads = 2});
  fill_parameters(network, 1);
  fill_batch(network, 1);
  const auto& table = network.parameters().table();
  const auto unused = table.entries[static_cast<std::size_t>(table.find("unused.weight"))].slice;
  std::size_t ready = 0;
  network.forward();
  network.backward([&](const ArenaSlice& slice) { ready = slice.offset + slice.count; });
  EXPECT_EQ(ready, unused.offset);
  EXPECT_EQ(ready, table.trainable_floats);
  EXPECT_FALSE(table.trainable(table.find("unused.weight")));
}

}  // namespace
}  // namespace convoy
