#include "convoy/train/replica_network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "convoy/comm/solo/solo_transport.h"
#include "convoy/comm/thread/thread_world.h"
#include "convoy/engine/untuned_test.h"
#include "convoy/train/small_training_test.h"

namespace convoy {
namespace {

Plan untuned_plan(const Graph& graph) {
  const Choices choices = untuned(graph);
  return compile(graph, {.batch = 4, .threads = 1, .choices = &choices});
}

TEST(ReplicaNetwork, LiesInTheReplicasMemoryWithAnOptimizerOfItsSize) {
  SoloTransport transport;
  Communicator communicator(transport);
  const Graph graph = small_graph();
  ReplicaNetwork made(communicator, graph, untuned_plan(graph), {});
  EXPECT_EQ(made.network.parameters().parameters().data(), made.replica.memory().parameters().data());
  EXPECT_EQ(made.network.parameters().gradients().data(), made.replica.memory().gradients().data());
  EXPECT_EQ(made.optimizer->arena_floats(), made.network.parameters().gradients().size());
}

// How many parameters change in an update without gradients but with weight decay.
std::ptrdiff_t decaying(const Graph& graph, bool decay_all) {
  SoloTransport transport;
  Communicator communicator(transport);
  ReplicaNetwork made(communicator, graph, untuned_plan(graph),
                      {.optimizer = {.kind = OptimizerKind::sgd, .weight_decay = 0.5}, .decay_all = decay_all});
  const std::span<float> parameters = made.network.parameters().parameters();
  const std::span<float> gradients = made.network.parameters().gradients();
  std::ranges::fill(parameters, 1.0F);
  std::ranges::fill(gradients, 0.0F);
  made.optimizer->begin_step(0.1);
  made.optimizer->update(0, parameters, gradients);
  return std::ranges::count_if(parameters, [](float value) { return value != 1.0F; });
}

TEST(ReplicaNetwork, WeightsAloneDecayUnlessAllShall) {
  const Graph graph = small_graph();
  EXPECT_GT(decaying(graph, true), decaying(graph, false));
  EXPECT_GT(decaying(graph, false), 0);
}

TEST(CompileTogether, AllCompileWithTheChoicesOfTheFirst) {
  run_as_threads({.ranks = 2}, [](Transport& transport) {
    Communicator communicator(transport);
    const Graph graph = small_graph();
    const Choices unmeasured = untuned(graph);
    Choices given;
    const Plan plan = compile_together(communicator, [&](const Choices* choices) {
      EXPECT_EQ(choices == nullptr, transport.rank() == 0);
      given = choices == nullptr ? unmeasured : *choices;
      return compile(graph, {.batch = 4, .threads = 1, .choices = &given});
    });
    // The first rank finds the names of the implementations and tells them to the other.
    EXPECT_EQ(given, transport.rank() == 0 ? unmeasured : plan.choices);
    const std::vector<std::string> all = communicator.gather(choices_to_json(plan.choices));
    for (const std::string& choices : all) EXPECT_EQ(choices, all[0]);
  });
}

}  // namespace
}  // namespace convoy
