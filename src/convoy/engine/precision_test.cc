// Networks in bf16: what is rounded and what is not, and that they compute the same as in fp32.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "convoy/base/error.h"
#include "convoy/engine/network.h"
#include "convoy/engine/predictor.h"
#include "convoy/engine/small_networks_test.h"
#include "convoy/engine/untuned_test.h"

namespace convoy {
namespace {

constexpr DataType kBf16 = DataType::bf16;

// One step with the same parameters, all of which are bf16 numbers, and the same batch.
void step_in(Network& network) {
  fill_parameters(network, 8);
  ParameterStore& store = network.parameters();
  for (int i = 0; i < static_cast<int>(store.table().entries.size()); ++i) {
    std::vector<float> plain = store.plain_parameter(i);
    for (float& value : plain) value = to_float(to_bfloat16(value));
    store.set_parameter(i, plain);
  }
  fill_batch(network, 3);
  network.forward({.seed = 2, .step = 1, .gradient_scale = 0.0F});
  network.backward();
}

// |a - b| / |b|, with the lengths of the vectors.
double distance(const std::vector<float>& a, const std::vector<float>& b) {
  double apart = 0;
  double length = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    apart += std::pow(static_cast<double>(a[i]) - b[i], 2);
    length += std::pow(static_cast<double>(b[i]), 2);
  }
  return length == 0 ? apart : std::sqrt(apart / length);
}

// Every value between layers may be off by 2^-8 of itself, and a few near zero change what an activation lets through.
// This checks only the size: a term that is missing, or added twice, would be off by far more than an eighth.
TEST(Precision, GradientsAreThoseOfFloatsButForRounding) {
  constexpr double kAllowed = 1.0 / 8;
  for (const auto& [name, graph] : small_networks()) {
    SCOPED_TRACE(name);
    const Choices any = untuned(graph);
    Network floats(graph, {.batch = 6, .threads = 2, .choices = &any});
    Network halves(graph, {.batch = 6, .threads = 2, .precision = kBf16, .choices = &any});
    step_in(floats);
    step_in(halves);
    EXPECT_NEAR(halves.loss(), floats.loss(), floats.loss() * kAllowed / 4);
    EXPECT_NE(halves.loss(), floats.loss()) << "nothing was rounded";
    const auto expected = plain_gradients(floats);
    const auto actual = plain_gradients(halves);
    std::vector<float> all_expected;
    std::vector<float> all_actual;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      all_expected.insert(all_expected.end(), expected[i].begin(), expected[i].end());
      all_actual.insert(all_actual.end(), actual[i].begin(), actual[i].end());
    }
    EXPECT_LT(distance(all_actual, all_expected), kAllowed);
  }
}

TEST(Precision, ValuesBetweenLayersTakeHalfTheMemory) {
  const Graph graph = residual_network();
  const Choices any = untuned(graph);
  const Plan floats = compile(graph, {.batch = 64, .choices = &any});
  const Plan halves = compile(graph, {.batch = 64, .precision = kBf16, .choices = &any});
  EXPECT_LT(static_cast<double>(halves.memory.bytes), 0.6 * static_cast<double>(floats.memory.bytes));
  EXPECT_EQ(halves.precision, kBf16);
}

// Parameters and their gradients are floats with the same layout; the copies that kernels read are beside them.
TEST(Precision, ParametersAreFloatsWithCopies) {
  const Graph graph = residual_network();
  const Choices any = untuned(graph);
  Network network(graph, {.batch = 6, .precision = kBf16, .choices = &any});
  ParameterStore& store = network.parameters();
  EXPECT_TRUE(store.table().has_copies());
  EXPECT_EQ(store.copies().size(), store.parameters().size());
  fill_parameters(network, 8);
  const auto is_copy = [&] {
    return std::ranges::equal(store.parameters(), store.copies(),
                              [](float value, BFloat16 copy) { return to_bfloat16(value) == copy; });
  };
  EXPECT_TRUE(is_copy());
  for (const ParameterEntry& entry : store.table().entries) {
    EXPECT_EQ(entry.layout.type(), DataType::fp32) << entry.parameter.name;
    EXPECT_EQ(entry.copied, entry.parameter.role == ParameterRole::weight) << entry.parameter.name;
  }
  for (float& value : store.parameters()) value *= 1.1F;
  EXPECT_FALSE(is_copy());
  store.renew_copies();
  EXPECT_TRUE(is_copy());
}

TEST(Precision, FloatsHaveNoCopies) {
  const Graph graph = residual_network();
  const Choices any = untuned(graph);
  Network network(graph, {.batch = 6, .choices = &any});
  EXPECT_FALSE(network.parameters().table().has_copies());
  EXPECT_TRUE(network.parameters().copies().empty());
  EXPECT_TRUE(network.parameters().copies({.offset = 0, .count = 16}).empty());
}

// Kernels read only the copies: changing parameters without them has no effect.
TEST(Precision, KernelsReadTheCopies) {
  const Graph graph = dropout_network();
  const Choices any = untuned(graph);
  Network network(graph, {.batch = 6, .precision = kBf16, .choices = &any});
  step_in(network);
  const double before = network.loss();
  ParameterStore& store = network.parameters();
  for (const ParameterEntry& entry : store.table().entries) {
    if (entry.copied) std::ranges::fill(store.parameters().subspan(entry.slice.offset, entry.slice.count), 0.0F);
  }
  network.forward({.seed = 2, .step = 1, .gradient_scale = 0.0F});
  EXPECT_EQ(network.loss(), before);
  store.renew_copies();
  network.forward({.seed = 2, .step = 1, .gradient_scale = 0.0F});
  EXPECT_NE(network.loss(), before);
}

// If a network does not end in a dense layer, its logits are floats too.
TEST(Precision, AnyLayerCanGiveLogits) {
  Graph pooled;
  softmax_cross_entropy(flatten(global_average_pool(conv(input(pooled, {3, 6, 6}), {.out = kClasses, .kernel = 3}))));
  Graph activated;
  softmax_cross_entropy(relu6(dense(flatten(input(activated, {2, 3, 3})), {.out = kClasses})));
  Graph added;
  const Value flat = flatten(input(added, {2, 3, 3}));
  softmax_cross_entropy(add(dense(flat, {.out = kClasses}), dense(flat, {.out = kClasses})));
  for (const Graph& graph : {pooled, activated, added}) {
    const Choices any = untuned(graph);
    Network floats(graph, {.batch = 6, .choices = &any});
    Network halves(graph, {.batch = 6, .precision = kBf16, .choices = &any});
    step_in(floats);
    step_in(halves);
    EXPECT_NEAR(halves.loss(), floats.loss(), 0.02);
    EXPECT_EQ(halves.logits().size(), floats.logits().size());
  }
}

TEST(Precision, PredictsWithFoldedBatchNorm) {
  const Graph graph = residual_network();
  const Choices any = untuned(graph);
  Network trained(graph, {.batch = 6, .choices = &any});
  step_in(trained);
  std::vector<std::vector<float>> logits;
  for (const DataType precision : {DataType::fp32, kBf16}) {
    Predictor predictor(graph, {.batch = 6, .precision = precision});
    predictor.load(trained.parameters());
    std::ranges::copy(trained.input(), predictor.input().begin());
    predictor.forward();
    logits.emplace_back(predictor.logits().begin(), predictor.logits().end());
  }
  EXPECT_LT(distance(logits[1], logits[0]), 8.0 / 256);
  EXPECT_NE(logits[1], logits[0]);
}

TEST(Precision, ForeignMemoryNeedsRoomForCopies) {
  const Graph graph = residual_network();
  const Choices any = untuned(graph);
  const Plan plan = compile(graph, {.batch = 6, .precision = kBf16, .choices = &any});
  std::vector<float> parameters(plan.parameters.arena_floats);
  std::vector<float> gradients(plan.parameters.trainable_floats);
  EXPECT_THROW(ParameterStore(plan.device, plan.parameters, parameters, gradients), UserError);
}

}  // namespace
}  // namespace convoy
