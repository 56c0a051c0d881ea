#include "convoy/engine/fusion.h"

#include <gtest/gtest.h>

#include <set>

#include "convoy/engine/random_graph_test.h"
#include "convoy/graph/builder.h"

namespace convoy {
namespace {

using kernels::Activation;

// The unit that computes a value; null if the value is inside a unit.
const Unit* unit_of(const std::vector<Unit>& units, Value value) {
  for (const Unit& unit : units) {
    if (unit.output == value.id()) {
      return &unit;
    }
  }
  return nullptr;
}

// Checks the unit that computes `output` with `layer`'s kernel.
void expect_unit(const std::vector<Unit>& units, Value layer, Value output, const std::vector<LayerId>& inputs,
                 Activation activation, bool shortcut = false) {
  const Unit* unit = unit_of(units, output);
  ASSERT_NE(unit, nullptr) << "nobody computes layer " << output.id();
  EXPECT_EQ(unit->layer, layer.id());
  EXPECT_EQ(unit->inputs, inputs);
  EXPECT_EQ(unit->activation, activation);
  EXPECT_EQ(unit->shortcut, shortcut);
}

Value conv3(Value x, int out) { return conv(x, {.out = out, .kernel = 3, .pad = 1}); }

TEST(Fusion, JoinsActivationsToLayers) {
  Graph graph;
  const Value x = input(graph, {3, 8, 8});
  const Value c = conv3(x, 4);
  const Value r = relu(c);
  const Value d = dense(r, {.out = 5});
  const Value s = relu6(d);
  const auto units = make_units(graph);
  ASSERT_EQ(units.size(), 3U);
  expect_unit(units, c, r, {x.id()}, Activation::relu);
  expect_unit(units, d, s, {r.id()}, Activation::relu6);
}

TEST(Fusion, JoinsReluToBatchNorm) {
  Graph graph;
  const Value c = conv3(input(graph, {3, 8, 8}), 4);
  const Value b = batch_norm(c);
  const Value r = relu(b);
  const auto units = make_units(graph);
  ASSERT_EQ(units.size(), 3U);
  expect_unit(units, c, c, {0}, Activation::none);
  expect_unit(units, b, r, {c.id()}, Activation::relu);
}

TEST(Fusion, JoinsAnIdentityShortcutWhicheverSideItStandsOn) {
  for (const bool shortcut_first : {false, true}) {
    Graph graph;
    const Value x = relu(conv3(input(graph, {3, 8, 8}), 4));
    const Value c = conv3(x, 4);
    const Value b = batch_norm(c);
    const Value sum = shortcut_first ? add(x, b) : add(b, x);
    const Value r = relu(sum);
    const auto units = make_units(graph);
    ASSERT_EQ(units.size(), 4U);
    expect_unit(units, b, r, {c.id(), x.id()}, Activation::relu, true);
  }
}

TEST(Fusion, JoinsAnAdditionWithoutActivationToo) {
  Graph graph;
  const Value x = conv3(input(graph, {3, 8, 8}), 4);
  const Value c = conv3(x, 4);
  const Value b = batch_norm(c);
  const Value sum = add(b, x);
  conv3(sum, 2);
  expect_unit(make_units(graph), b, sum, {c.id(), x.id()}, Activation::none, true);
}

TEST(Fusion, OfTwoBatchNormsTheLaterOneTakesTheSum) {
  Graph graph;
  const Value x = conv3(input(graph, {3, 8, 8}), 4);
  const Value main = conv3(x, 6);
  const Value main_norm = batch_norm(main);
  const Value projection = conv(x, {.out = 6, .kernel = 1});
  const Value projection_norm = batch_norm(projection);
  const Value r = relu(add(main_norm, projection_norm));
  const auto units = make_units(graph);
  expect_unit(units, main_norm, main_norm, {main.id()}, Activation::none);
  expect_unit(units, projection_norm, r, {projection.id(), main_norm.id()}, Activation::relu, true);
}

TEST(Fusion, ABatchNormWithItsOwnReluTakesNoShortcut) {
  Graph graph;
  const Value x = conv3(input(graph, {3, 8, 8}), 4);
  const Value b = batch_norm(conv3(x, 4));
  const Value r = relu(b);
  const Value sum = add(r, x);
  const auto units = make_units(graph);
  expect_unit(units, b, r, {b.id() - 1}, Activation::relu);
  expect_unit(units, sum, sum, {r.id(), x.id()}, Activation::none);
}

TEST(Fusion, ABatchNormTakesOneShortcutOnly) {
  Graph graph;
  const Value x = conv3(input(graph, {3, 8, 8}), 4);
  const Value b = batch_norm(conv3(x, 4));
  const Value once = add(b, x);
  const Value twice = add(once, x);
  const auto units = make_units(graph);
  expect_unit(units, b, once, {b.id() - 1, x.id()}, Activation::none, true);
  expect_unit(units, twice, twice, {once.id(), x.id()}, Activation::none);
}

TEST(Fusion, JoinsReluToAnAddition) {
  Graph graph;
  const Value x = input(graph, {3, 8, 8});
  const Value a = conv3(x, 4);
  const Value b = conv3(x, 4);
  const Value sum = add(a, b);
  const Value r = relu(sum);
  const auto units = make_units(graph);
  ASSERT_EQ(units.size(), 4U);
  expect_unit(units, sum, r, {a.id(), b.id()}, Activation::relu);
}

TEST(Fusion, LeavesValuesThatOthersReadAlone) {
  Graph graph;
  const Value c = conv3(input(graph, {3, 8, 8}), 4);
  const Value r = relu(c);
  const Value b = batch_norm(r);
  const Value sum = add(b, r);
  const Value s = relu(b);
  const auto units = make_units(graph);
  expect_unit(units, c, r, {0}, Activation::relu);
  expect_unit(units, b, b, {r.id()}, Activation::none);
  expect_unit(units, sum, sum, {b.id(), r.id()}, Activation::none);
  expect_unit(units, s, s, {b.id()}, Activation::relu);
}

TEST(Fusion, AValueAddedToItselfIsReadTwice) {
  Graph graph;
  const Value b = batch_norm(conv3(input(graph, {3, 8, 8}), 4));
  const Value sum = add(b, b);
  const auto units = make_units(graph);
  expect_unit(units, b, b, {b.id() - 1}, Activation::none);
  expect_unit(units, sum, sum, {b.id(), b.id()}, Activation::none);
}

TEST(Fusion, ASecondActivationStandsAlone) {
  Graph graph;
  const Value c = conv3(input(graph, {3, 8, 8}), 4);
  const Value r = relu(c);
  const Value s = relu6(r);
  const auto units = make_units(graph);
  expect_unit(units, c, r, {0}, Activation::relu);
  expect_unit(units, s, s, {r.id()}, Activation::relu6);
}

TEST(Fusion, ActivationsDoNotJoinPoolsOrSamples) {
  Graph graph;
  const Value x = input(graph, {3, 8, 8});
  const Value r = relu(x);
  const Value p = max_pool(r, {.kernel = 2, .stride = 2});
  const Value s = relu(p);
  const auto units = make_units(graph);
  EXPECT_EQ(units.size(), 4U);
  expect_unit(units, r, r, {x.id()}, Activation::relu);
  expect_unit(units, s, s, {p.id()}, Activation::relu);
}

TEST(Fusion, WithoutFusingEveryUnitIsOneLayer) {
  Graph graph;
  const Value x = conv3(input(graph, {3, 8, 8}), 4);
  relu(add(batch_norm(conv3(x, 4)), x));
  const auto units = make_units(graph, false);
  ASSERT_EQ(units.size(), static_cast<std::size_t>(graph.size()));
  for (LayerId id = 0; id < graph.size(); ++id) {
    EXPECT_EQ(units[static_cast<std::size_t>(id)].layer, id);
    EXPECT_EQ(units[static_cast<std::size_t>(id)].output, id);
    EXPECT_EQ(units[static_cast<std::size_t>(id)].inputs, graph.layer(id).inputs);
  }
}

// The layers of a unit, from its output back to its own layer.
std::vector<LayerId> layers_of(const Graph& graph, const Unit& unit) {
  std::vector<LayerId> layers = {unit.output};
  while (layers.back() != unit.layer) {
    const Layer& layer = graph.layer(layers.back());
    // For an addition, continues with the summand that is not the shortcut.
    const bool is_sum = layer.inputs.size() == 2;
    layers.push_back(is_sum && layer.inputs[0] == unit.inputs.back() ? layer.inputs[1] : layer.inputs[0]);
  }
  return layers;
}

TEST(Fusion, EveryLayerIsInOneUnitAndRunsAfterWhatItReads) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Graph graph = random_graph(seed);
    std::set<LayerId> covered;
    std::set<LayerId> computed;
    for (const Unit& unit : make_units(graph)) {
      for (const LayerId layer : layers_of(graph, unit)) {
        EXPECT_TRUE(covered.insert(layer).second) << "seed " << seed << ": layer " << layer << " is in two units";
      }
      for (const LayerId read : unit.inputs) {
        EXPECT_TRUE(computed.contains(read)) << "seed " << seed << ": layer " << unit.layer << " reads " << read;
      }
      computed.insert(unit.output);
    }
    EXPECT_EQ(covered.size(), static_cast<std::size_t>(graph.size())) << "seed " << seed;
  }
}

}  // namespace
}  // namespace convoy
