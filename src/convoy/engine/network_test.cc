#include "convoy/engine/network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "convoy/base/error.h"
#include "convoy/engine/closeness_test.h"
#include "convoy/engine/fusion.h"
#include "convoy/engine/problems.h"
#include "convoy/engine/random_graph_test.h"
#include "convoy/engine/small_networks_test.h"
#include "convoy/engine/untuned_test.h"
#include "convoy/graph/builder.h"

namespace convoy {
namespace {

// The results of a step.
struct Outcome {
  double loss;
  std::vector<float> logits;
  std::vector<std::vector<float>> gradients;
};

Outcome run_step(Network& network, const StepInfo& info = {.seed = 7, .step = 2, .gradient_scale = 0.0F}) {
  network.forward(info);
  Outcome outcome{.loss = network.loss(), .logits = {network.logits().begin(), network.logits().end()}};
  network.backward();
  outcome.gradients = plain_gradients(network);
  return outcome;
}

Outcome run_step(const Graph& graph, const CompileOptions& options, std::uint64_t seed = 11) {
  Network network(graph, options);
  fill_parameters(network, seed);
  fill_batch(network, seed);
  return run_step(network);
}

void expect_close(const Outcome& a, const Outcome& b, double tolerance) {
  EXPECT_NEAR(a.loss, b.loss, tolerance * std::abs(b.loss));
  EXPECT_TRUE(close(a.logits, b.logits, tolerance));
  ASSERT_EQ(a.gradients.size(), b.gradients.size());
  for (std::size_t i = 0; i < a.gradients.size(); ++i) {
    EXPECT_TRUE(close_above(a.gradients[i], b.gradients[i], tolerance, 1e-6)) << "parameter " << i;
  }
}

void expect_equal(const Outcome& a, const Outcome& b) {
  EXPECT_EQ(a.loss, b.loss);
  EXPECT_EQ(a.logits, b.logits);
  EXPECT_EQ(a.gradients, b.gradients);
}

TEST(Network, FusedEqualsUnfused) {
  for (const auto& [name, graph] : small_networks()) {
    SCOPED_TRACE(name);
    expect_close(run_step(graph, {.batch = 4, .threads = 2, .exact = true}),
                 run_step(graph, {.batch = 4, .threads = 2, .exact = true, .fuse = false}), 1e-4);
  }
}

TEST(Network, FusedEqualsUnfusedInGeneratedNetworks) {
  for (std::uint64_t seed = 200; seed < 230; ++seed) {
    SCOPED_TRACE(seed);
    const Graph graph = random_graph(seed);
    const Choices choices = untuned(graph);
    expect_close(run_step(graph, {.batch = 3, .threads = 2, .choices = &choices}, seed),
                 run_step(graph, {.batch = 3, .threads = 2, .fuse = false, .choices = &choices}, seed), 1e-3);
  }
}

// Wide enough, and of a shape that winograd supports, so that it can be chosen.
Graph winograd_network() {
  Graph graph;
  Value x = input(graph, {3, 16, 16});
  for (int i = 0; i < 4; ++i) {
    x = relu(conv(x, {.out = 32, .kernel = 3, .pad = 1}));
  }
  softmax_cross_entropy(dense(flatten(global_average_pool(x)), {.out = kClasses}));
  return graph;
}

// A winograd implementation of the pass or, if there is none, the first one.
std::string winograd(const kernels::Device& device, const kernels::ConvolutionProblem& problem, kernels::Pass pass) {
  for (const auto& candidate : kernels::candidates(device, problem, pass, kernels::Arithmetic::any)) {
    if (candidate->implementation().find("winograd") != std::string::npos) {
      return candidate->implementation();
    }
  }
  return std::string(kFirstImplementation);
}

// Choices that use winograd wherever it exists, whatever timing would say.
Choices winograd_choices(const Graph& graph, std::int64_t batch) {
  const kernels::Device device(2);
  Choices choices = untuned(graph);
  for (const Unit& unit : make_units(graph)) {
    if (std::holds_alternative<op::Convolution>(graph.layer(unit.layer).op)) {
      const auto problem = convolution_problem(graph, unit, {.batch = batch});
      choices[graph.layer(unit.layer).name] = {winograd(device, problem, kernels::Pass::forward),
                                               winograd(device, problem, kernels::Pass::backward_data),
                                               winograd(device, problem, kernels::Pass::backward_weights)};
    }
  }
  return choices;
}

int winograd_count(const Choices& choices) {
  int count = 0;
  for (const auto& [layer, choice] : choices) {
    for (const std::string& name : {choice.forward, choice.backward_data, choice.backward_weights}) {
      count += name.find("winograd") != std::string::npos ? 1 : 0;
    }
  }
  return count;
}

TEST(Network, WinogradIsCloseToDirect) {
  const Graph graph = winograd_network();
  const Choices choices = winograd_choices(graph, 4);
  if (winograd_count(compile(graph, {.batch = 4, .threads = 2, .choices = &choices}).choices) == 0) {
    GTEST_SKIP() << "oneDNN has no winograd on this machine";
  }
  const Outcome direct = run_step(graph, {.batch = 4, .threads = 2, .exact = true});
  const Outcome fast = run_step(graph, {.batch = 4, .threads = 2, .choices = &choices});
  expect_close(fast, direct, 2e-3);
  EXPECT_NE(fast.logits, direct.logits);
}

TEST(Network, ExactKnowsNoWinograd) {
  const Graph graph = winograd_network();
  EXPECT_EQ(winograd_count(compile(graph, {.batch = 4, .threads = 2, .exact = true}).choices), 0);
  const Choices choices = winograd_choices(graph, 4);
  if (winograd_count(choices) > 0) {
    EXPECT_THROW((void)compile(graph, {.batch = 4, .threads = 2, .exact = true, .choices = &choices}), UserError);
  }
}

TEST(Network, TwoCompilesGiveTheSameNumbers) {
  for (const auto& [name, graph] : small_networks()) {
    SCOPED_TRACE(name);
    TuningCache cache;
    const CompileOptions options{.batch = 5, .threads = 2, .cache = &cache};
    expect_equal(run_step(graph, options), run_step(graph, options));
  }
}

TEST(Network, TheSameStepTwiceGivesTheSameNumbers) {
  for (const auto& [name, graph] : small_networks()) {
    SCOPED_TRACE(name);
    Network network(graph, {.batch = 5, .threads = 2});
    fill_parameters(network, 1);
    fill_batch(network, 1);
    const Outcome first = run_step(network);
    // What another batch leaves in memory must not matter, and a step must not change its samples.
    std::vector<float> samples(network.input().begin(), network.input().end());
    fill_batch(network, 2);
    run_step(network);
    std::copy(samples.begin(), samples.end(), network.input().begin());
    fill_batch(network, 1);
    EXPECT_TRUE(std::ranges::equal(network.input(), samples));
    expect_equal(run_step(network), first);
  }
}

TEST(Network, APartialBatchEqualsAPlanOfThatSize) {
  for (const auto& [name, graph] : small_networks()) {
    SCOPED_TRACE(name);
    Network full(graph, {.batch = 6, .threads = 2});
    fill_parameters(full, 4);
    full.use_batch(4);
    ASSERT_EQ(full.batch(), 4);
    fill_batch(full, 9);
    const Outcome partial = run_step(full);

    Network small(graph, {.batch = 4, .threads = 2, .exact = true});
    fill_parameters(small, 4);
    fill_batch(small, 9);
    expect_close(partial, run_step(small), 1e-3);
  }
}

TEST(Network, BatchSizesCanBeChangedBackAndForth) {
  for (const auto& [name, graph] : small_networks()) {
    SCOPED_TRACE(name);
    Network network(graph, {.batch = 6, .threads = 2});
    fill_parameters(network, 4);
    std::map<std::int64_t, Outcome> seen;
    for (const std::int64_t batch : {6, 1, 4, 6, 4, 1, 6}) {
      network.use_batch(batch);
      ASSERT_EQ(network.batch(), batch);
      ASSERT_EQ(network.labels().size(), static_cast<std::size_t>(batch));
      fill_batch(network, 9);
      const Outcome outcome = run_step(network);
      if (const auto before = seen.find(batch); before != seen.end()) {
        expect_equal(outcome, before->second);
      }
      seen.emplace(batch, outcome);
    }
  }
}

TEST(Network, LogitsOfAPartialBatchAreThoseOfItsSamples) {
  // Without batch norm, a sample's result does not depend on the batch it is in.
  Network network(branching_network(), {.batch = 6, .threads = 2});
  fill_parameters(network, 4);
  fill_batch(network, 9);
  const Outcome full = run_step(network);
  network.use_batch(2);
  fill_batch(network, 9, 3);
  const Outcome part = run_step(network);
  const std::span<const float> same(full.logits.data() + 3 * kClasses, 2 * kClasses);
  EXPECT_TRUE(close(part.logits, same, 1e-4));
}

TEST(Network, RefusesBatchesOutOfRange) {
  Network network(dropout_network(), {.batch = 4, .threads = 2});
  EXPECT_THROW(network.use_batch(0), UserError);
  EXPECT_THROW(network.use_batch(5), UserError);
}

TEST(Network, GradientsScaleWithGradientScale) {
  const Graph graph = residual_network();
  Network network(graph, {.batch = 4, .threads = 2});
  fill_parameters(network, 1);
  fill_batch(network, 1);
  const Outcome mean = run_step(network, {.gradient_scale = 0.0F});
  const Outcome same = run_step(network, {.gradient_scale = 0.25F});
  Outcome sum = run_step(network, {.gradient_scale = 1.0F});
  expect_equal(mean, same);
  EXPECT_EQ(sum.loss, mean.loss);
  for (auto& gradient : sum.gradients) {
    std::ranges::transform(gradient, gradient.begin(), [](float g) { return g / 4; });
  }
  expect_close(sum, mean, 1e-5);
}

// Masks belong to samples: a rank with the second half of the batch must draw what a single rank draws for it.
TEST(Network, DropoutIsKeyedBySeedStepAndSample) {
  Network network(dropout_network(), {.batch = 4, .threads = 2});
  fill_parameters(network, 1);
  fill_batch(network, 1);
  const Outcome base = run_step(network, {.seed = 1, .step = 1});
  expect_equal(run_step(network, {.seed = 1, .step = 1}), base);
  EXPECT_NE(run_step(network, {.seed = 2, .step = 1}).logits, base.logits);
  EXPECT_NE(run_step(network, {.seed = 1, .step = 2}).logits, base.logits);
  network.use_batch(2);
  fill_batch(network, 1, 2);
  const Outcome half = run_step(network, {.seed = 1, .step = 1, .first_sample = 2});
  EXPECT_TRUE(close(half.logits, std::span(base.logits).subspan(2 * kClasses), 1e-4));
}

Graph linear_network(const Operator& loss) {
  Graph graph;
  const Value x = dense(input(graph, {3}), {.out = 4, .name = "fc"});
  graph.add(loss, {x.id()});
  return graph;
}

// The logits are known because the weights are: row `c` of the weights is (c, 0, 0), and all samples are (1, 2, 3).
double known_loss(const Operator& loss, std::int32_t label) {
  Network network(linear_network(loss), {.batch = 2, .threads = 2});
  std::vector<float> weights(12, 0.0F);
  for (std::size_t c = 0; c < 4; ++c) {
    weights[3 * c] = static_cast<float>(c);
  }
  ParameterStore& store = network.parameters();
  store.set_parameter(store.table().find("fc.weight"), weights);
  const std::vector<float> sample = {1, 2, 3, 1, 2, 3};
  std::ranges::copy(sample, network.input().begin());
  std::ranges::fill(network.labels(), label);
  network.forward();
  EXPECT_NEAR(network.logits()[3], 3.0, 1e-6);
  return network.loss();
}

TEST(Network, SoftmaxCrossEntropyIsThatOfThePaper) {
  const double log_sum = std::log(1 + std::exp(1.0) + std::exp(2.0) + std::exp(3.0));
  EXPECT_NEAR(known_loss(op::SoftmaxCrossEntropy{}, 1), log_sum - 1, 1e-5);
  // A share of 0.2 is spread evenly over all four classes, whose logits are 1.5 on average.
  const double smoothed = 0.8 * (log_sum - 1) + 0.2 * (log_sum - 1.5);
  EXPECT_NEAR(known_loss(op::SoftmaxCrossEntropy{.label_smoothing = 0.2F}, 1), smoothed, 1e-5);
}

TEST(Network, MeanSquaredErrorIsAgainstTheOneHotRow) {
  EXPECT_NEAR(known_loss(op::MeanSquaredError{}, 1), (0 + 0 + 4 + 9) / 4.0, 1e-5);
  EXPECT_NEAR(known_loss(op::MeanSquaredError{}, 3), (0 + 1 + 4 + 4) / 4.0, 1e-5);
}

// The product of the factors that backward passes on is the gradient that it would have computed.
TEST(Network, LeavesProductsToOthers) {
  const Graph graph = linear_network(op::SoftmaxCrossEntropy{});
  Network network(graph, {.batch = 5, .threads = 2});
  fill_parameters(network, 3);
  fill_batch(network, 3);
  std::ranges::fill(network.labels(), 2);
  const Outcome computed = run_step(network);
  const LayerId layer = graph.layer(graph.output()).inputs[0];
  std::vector<double> product(12, 0.0);
  int taken = 0;
  network.leave_products_to(
      {.layers = {layer},
       .take = [&](LayerId id, std::span<const std::byte> source, std::span<const std::byte> diff_destination) {
         EXPECT_EQ(id, layer);
         ++taken;
         const auto* const x = reinterpret_cast<const float*>(source.data());
         const auto* const dy = reinterpret_cast<const float*>(diff_destination.data());
         ASSERT_EQ(source.size(), 5 * 3 * sizeof(float));
         ASSERT_EQ(diff_destination.size(), 5 * 4 * sizeof(float));
         for (std::size_t i = 0; i < 60; ++i) {
           const std::size_t sample = i / 12;
           product[i % 12] += double{dy[sample * 4 + i % 12 / 3]} * x[sample * 3 + i % 3];
         }
       }});
  std::ranges::fill(network.parameters().gradients(), 42.0F);
  network.forward({.seed = 7, .step = 2, .gradient_scale = 0.0F});
  std::size_t ready = 0;
  network.backward([&](const ArenaSlice& slice) { ready += slice.count; });
  EXPECT_EQ(taken, 1);
  EXPECT_GE(ready, 16U) << "its parameters are told ready as ever";
  EXPECT_EQ(network.parameters().gradients()[0], 42.0F) << "and not written";
  const auto weights = static_cast<std::size_t>(network.parameters().table().find("fc.weight"));
  for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(product[i], computed.gradients[weights][i], 1e-5) << i;
}

}  // namespace
}  // namespace convoy
