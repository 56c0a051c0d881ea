#include "convoy/engine/parameter_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "convoy/base/error.h"
#include "convoy/engine/network.h"
#include "convoy/engine/small_networks_test.h"
#include "convoy/graph/builder.h"

namespace convoy {
namespace {

using testing::Each;
using testing::FloatEq;

std::vector<float> numbered(std::int64_t count, float first) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = first + static_cast<float>(i);
  }
  return values;
}

// All parameters of all small networks, in the layouts that tuning chose for them.
TEST(ParameterStore, GivesBackWhatWasSet) {
  for (const auto& [name, graph] : small_networks()) {
    SCOPED_TRACE(name);
    const Plan plan = compile(graph, {.batch = 2, .threads = 2});
    ParameterStore store(plan.device, plan.parameters);
    const auto& entries = store.table().entries;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      store.set_parameter(static_cast<int>(i),
                          numbered(entries[i].parameter.shape.count(), 1000.0F * static_cast<float>(i)));
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
      EXPECT_EQ(store.plain_parameter(static_cast<int>(i)),
                numbered(entries[i].parameter.shape.count(), 1000.0F * static_cast<float>(i)))
          << entries[i].parameter.name << " as " << entries[i].layout.describe();
    }
  }
}

TEST(ParameterStore, ReadsGradientsAtTheSamePlace) {
  const Plan plan = compile(branching_network(), {.batch = 2, .threads = 2});
  ParameterStore store(plan.device, plan.parameters);
  for (std::size_t i = 0; i < store.table().entries.size(); ++i) {
    store.set_parameter(static_cast<int>(i), numbered(store.table().entries[i].parameter.shape.count(), 1.0F));
  }
  std::copy(store.parameters().begin(), store.parameters().end(), store.gradients().begin());
  for (std::size_t i = 0; i < store.table().entries.size(); ++i) {
    EXPECT_EQ(store.plain_gradient(static_cast<int>(i)), store.plain_parameter(static_cast<int>(i)));
  }
}

// The optimizer's state is laid out like the parameters, and is saved and restored in the same way.
TEST(ParameterStore, ConvertsOtherArenasLaidOutAlike) {
  for (const auto& [name, graph] : small_networks()) {
    SCOPED_TRACE(name);
    const Plan plan = compile(graph, {.batch = 2, .threads = 2});
    ParameterStore store(plan.device, plan.parameters);
    AlignedBuffer state(plan.parameters.arena_floats * sizeof(float));
    const auto& entries = store.table().entries;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      store.set_plain(static_cast<int>(i), numbered(entries[i].parameter.shape.count(), 1.0F), state.floats());
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
      EXPECT_EQ(store.plain(static_cast<int>(i), state.floats()), numbered(entries[i].parameter.shape.count(), 1.0F));
      store.set_parameter(static_cast<int>(i), numbered(entries[i].parameter.shape.count(), 1.0F));
    }
    EXPECT_TRUE(std::ranges::equal(state.floats(), store.parameters())) << "padding included";
  }
}

TEST(ParameterStore, RefusesMoreThanAnArenaHolds) {
  const Plan plan = compile(dropout_network(), {.batch = 2, .threads = 2});
  const ParameterStore store(plan.device, plan.parameters);
  const int last = plan.parameters.readiness.back();
  const auto count = plan.parameters.entries[static_cast<std::size_t>(last)].parameter.shape.count();
  std::vector<float> arena(plan.parameters.arena_floats - 1);
  EXPECT_THROW((void)store.plain(last, arena), UserError);
  EXPECT_THROW(store.set_plain(last, numbered(count, 0), arena), UserError);
  arena.resize(plan.parameters.arena_floats);
  EXPECT_THROW(store.set_plain(last, numbered(count + 1, 0), arena), UserError);
}

TEST(ParameterStore, KeepsRunningStatistics) {
  const Plan plan = compile(residual_network(), {.batch = 2, .threads = 2});
  ParameterStore store(plan.device, plan.parameters);
  const auto& statistics = store.table().statistics;
  ASSERT_EQ(statistics.size(), 14U);
  EXPECT_EQ(statistics[0].name, "batch_norm1.running_mean");
  EXPECT_EQ(statistics[1].name, "batch_norm1.running_var");
  for (std::size_t i = 0; i < statistics.size(); ++i) {
    store.set_statistics(static_cast<int>(i), numbered(statistics[i].channels, static_cast<float>(100 * i)));
  }
  for (std::size_t i = 0; i < statistics.size(); ++i) {
    EXPECT_EQ(store.plain_statistics(static_cast<int>(i)),
              numbered(statistics[i].channels, static_cast<float>(100 * i)));
  }
}

TEST(ParameterStore, InitialisesRunningStatistics) {
  const Graph graph = residual_network();
  const Plan plan = compile(graph, {.batch = 2, .threads = 2});
  ParameterStore store(plan.device, plan.parameters);
  store.initialise(graph, Initialiser::he_normal, 1);
  EXPECT_THAT(store.plain_statistics(0), Each(FloatEq(0)));
  EXPECT_THAT(store.plain_statistics(1), Each(FloatEq(1)));
}

// A layer with this name and shape starts with the same values in any network.
TEST(ParameterStore, InitialisesByName) {
  const auto first_weights = [](bool other_layers_first) {
    Graph graph;
    Value x = input(graph, {3, 6, 6});
    if (other_layers_first) {
      x = conv(x, {.out = 3, .name = "other"});
    }
    x = conv(x, {.out = 7, .kernel = 3, .name = "wanted"});
    softmax_cross_entropy(dense(x, {.out = 2}));
    const Plan plan = compile(graph, {.batch = 2, .threads = 2});
    ParameterStore store(plan.device, plan.parameters);
    store.initialise(graph, Initialiser::he_normal, 5);
    return store.plain_parameter(store.table().find("wanted.weight"));
  };
  EXPECT_EQ(first_weights(false), first_weights(true));
}

TEST(ParameterStore, RefusesNamesThatAreNotThere) {
  const Plan plan = compile(dropout_network(), {.batch = 2, .threads = 2});
  EXPECT_THROW((void)plan.parameters.find("conv1.weigth"), UserError);
}

// The places between and after parameters where the arena has zeros: those that stay zero when every parameter is one.
std::vector<bool> padding_of(const Plan& plan) {
  ParameterStore store(plan.device, plan.parameters);
  for (std::size_t i = 0; i < plan.parameters.entries.size(); ++i) {
    const auto count = static_cast<std::size_t>(plan.parameters.entries[i].parameter.shape.count());
    store.set_parameter(static_cast<int>(i), std::vector<float>(count, 1.0F));
  }
  std::vector<bool> padding;
  for (const float p : store.parameters()) {
    padding.push_back(p == 0.0F);
  }
  return padding;
}

// An update covers the whole arena, and kernels rely on the zeros that pad their blocks.
TEST(ParameterStore, PaddingStaysZeroWhileTraining) {
  for (const auto& [name, graph] : small_networks()) {
    SCOPED_TRACE(name);
    Network network(graph, {.batch = 4, .threads = 2});
    const auto padding = padding_of(network.plan());
    std::int64_t real = 0;
    for (const ParameterEntry& entry : network.plan().parameters.entries) {
      real += entry.parameter.shape.count();
    }
    ASSERT_EQ(std::count(padding.begin(), padding.end(), false), real);
    fill_parameters(network, 1);
    for (std::uint64_t step = 0; step < 3; ++step) {
      fill_batch(network, step);
      network.forward();
      network.backward();
      descend(network, 0.05F);
    }
    for (std::size_t i = 0; i < padding.size(); ++i) {
      if (padding[i]) {
        ASSERT_EQ(network.parameters().gradients()[i], 0.0F) << "gradient at " << i;
        ASSERT_EQ(network.parameters().parameters()[i], 0.0F) << "parameter at " << i;
      }
    }
  }
}

TEST(ParameterStore, WorksInMemoryGivenFromOutside) {
  const Graph graph = residual_network();
  Network own(graph, {.batch = 4, .threads = 2});
  const Plan& plan = own.plan();
  AlignedBuffer parameters(plan.parameters.arena_floats * sizeof(float));
  AlignedBuffer gradients(plan.parameters.arena_floats * sizeof(float));
  Network outside(
      graph, compile(graph, {.batch = 4, .threads = 2, .choices = &plan.choices}),
      std::make_unique<ParameterStore>(plan.device, plan.parameters, parameters.floats(), gradients.floats()));
  for (Network* network : {&own, &outside}) {
    fill_parameters(*network, 3);
    fill_batch(*network, 3);
    network->forward();
    network->backward();
  }
  EXPECT_EQ(outside.parameters().gradients().data(), gradients.floats().data());
  EXPECT_TRUE(std::ranges::equal(own.parameters().parameters(), parameters.floats()));
  EXPECT_TRUE(std::ranges::equal(own.parameters().gradients(), gradients.floats()));
  EXPECT_TRUE(std::ranges::any_of(gradients.floats(), [](float g) { return g != 0; }));
}

TEST(ParameterStore, RefusesMemoryOfAnotherSize) {
  const Plan plan = compile(dropout_network(), {.batch = 2, .threads = 2});
  AlignedBuffer right(plan.parameters.arena_floats * sizeof(float));
  AlignedBuffer wrong((plan.parameters.arena_floats - 16) * sizeof(float));
  EXPECT_THROW(ParameterStore(plan.device, plan.parameters, right.floats(), wrong.floats()), UserError);
  EXPECT_THROW(ParameterStore(plan.device, plan.parameters, wrong.floats(), right.floats()), UserError);
}

}  // namespace
}  // namespace convoy
