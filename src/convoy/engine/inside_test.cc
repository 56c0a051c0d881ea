// Looking inside a network: outputs of layers, gradients with respect to the samples and by name, float targets.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/engine/network.h"
#include "convoy/engine/small_networks_test.h"
#include "convoy/engine/untuned_test.h"

namespace convoy {
namespace {

TEST(KeptOutputs, AreWhatTheLayersGive) {
  Graph graph;
  Value x = conv(input(graph, {2, 6, 6}), {.out = 3, .kernel = 3, .pad = 1, .name = "c"});
  x = relu(batch_norm(x, {.name = "b"}), {.name = "r"});
  softmax_cross_entropy(dense(flatten(x), {.out = kClasses, .name = "d"}));
  const Choices choices = untuned(graph);
  Network plain(graph, {.batch = 4, .threads = 1, .choices = &choices});
  Network looked_into(graph, {.batch = 4, .threads = 1, .choices = &choices, .kept = {"input", "c", "b", "r", "d"}});
  for (Network* network : {&plain, &looked_into}) {
    fill_parameters(*network, 1);
    fill_batch(*network, 1);
    network->forward();
    network->backward();
  }
  EXPECT_EQ(plain_gradients(plain), plain_gradients(looked_into)) << "looking changes nothing";
  EXPECT_TRUE(std::ranges::equal(looked_into.output_of("input"), looked_into.input()));
  EXPECT_TRUE(std::ranges::equal(looked_into.output_of("d"), looked_into.logits()));
  const auto normed = looked_into.output_of("b");
  const auto rectified = looked_into.output_of("r");
  ASSERT_EQ(normed.size(), 4U * 3 * 36);
  EXPECT_TRUE(std::ranges::any_of(normed, [](float value) { return value < 0; }));
  for (std::size_t i = 0; i < normed.size(); ++i) EXPECT_EQ(rectified[i], std::max(normed[i], 0.0F));
  // One pixel of the convolution, away from the border, computed by hand.
  const auto weights = looked_into.parameters().plain_parameter(looked_into.parameters().table().find("c.weight"));
  double sum = looked_into.parameters().plain_parameter(looked_into.parameters().table().find("c.bias"))[1];
  for (std::size_t channel = 0; channel < 2; ++channel) {
    for (std::size_t k = 0; k < 9; ++k) {
      const std::size_t pixel = (2 + k / 3) * 6 + 1 + k % 3;
      sum += weights[(2 + channel) * 9 + k] * looked_into.input()[channel * 36 + pixel];
    }
  }
  EXPECT_NEAR(looked_into.output_of("c")[36 + 3 * 6 + 2], sum, 1e-5);
}

TEST(KeptOutputs, AreThereForEveryBatchAndOnlyThose) {
  const Graph graph = residual_network();
  const Choices choices = untuned(graph);
  Network network(graph, {.batch = 4, .threads = 1, .choices = &choices, .kept = {"conv1"}});
  fill_parameters(network, 1);
  network.use_batch(2);
  fill_batch(network, 1);
  network.forward();
  EXPECT_EQ(network.output_of("conv1").size(), 2U * 18 * 64);
  EXPECT_TRUE(throws_with<UserError>([&] { (void)network.output_of("conv2"); }, "\"conv2\" is not kept"));
  EXPECT_TRUE(throws_with<UserError>([&] { (void)network.input_gradient(); }, "input_gradient = true"));
  EXPECT_TRUE(throws_with<UserError>(
      [&] { Network other(graph, {.batch = 4, .threads = 1, .choices = &choices, .kept = {"conv11x"}}); },
      "did you mean \"conv1"));
}

// The slope of the loss along each of some pixels.
TEST(InputGradient, IsTheSlopeOfTheLoss) {
  for (const auto& [name, graph] : small_networks()) {
    SCOPED_TRACE(name);
    const Choices choices = untuned(graph);
    Network network(graph, {.batch = 3, .threads = 1, .exact = true, .choices = &choices, .input_gradient = true});
    fill_parameters(network, 2);
    fill_batch(network, 2);
    const StepInfo info{.seed = 1, .step = 1, .gradient_scale = 0.0F};
    network.forward(info);
    network.backward();
    const std::vector<float> gradient(network.input_gradient().begin(), network.input_gradient().end());
    ASSERT_EQ(gradient.size(), network.input().size());
    const double length = std::sqrt(std::inner_product(gradient.begin(), gradient.end(), gradient.begin(), 0.0));
    ASSERT_GT(length, 0);
    // Along the direction of the gradient, the loss rises by the gradient's length.
    const std::vector<float> samples(network.input().begin(), network.input().end());
    const auto loss_at = [&](double step) {
      for (std::size_t i = 0; i < samples.size(); ++i) {
        network.input()[i] = static_cast<float>(samples[i] + step * gradient[i] / length);
      }
      network.forward(info);
      return network.loss();
    };
    constexpr double kStep = 2e-3;
    EXPECT_NEAR((loss_at(kStep) - loss_at(-kStep)) / (2 * kStep), length, 0.02 * length);
  }
}

TEST(InputGradient, ChangesNoOtherGradient) {
  const Graph graph = branching_network();
  const Choices choices = untuned(graph);
  for (const DataType precision : {DataType::fp32, DataType::bf16}) {
    Network plain(graph, {.batch = 3, .threads = 1, .exact = true, .precision = precision, .choices = &choices});
    Network both(
        graph,
        {.batch = 3, .threads = 1, .exact = true, .precision = precision, .choices = &choices, .input_gradient = true});
    for (Network* network : {&plain, &both}) {
      fill_parameters(*network, 3);
      fill_batch(*network, 3);
      network->forward();
      network->backward();
    }
    const auto expected = plain_gradients(plain);
    const auto actual = plain_gradients(both);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      for (std::size_t k = 0; k < expected[i].size(); ++k) {
        EXPECT_NEAR(actual[i][k], expected[i][k], precision == DataType::fp32 ? 1e-4 : 2e-2) << i << " " << k;
      }
    }
  }
}

TEST(FloatTargets, AreApproached) {
  Graph graph;
  mean_squared_error(dense(input(graph, {3}), {.out = 2, .name = "d"}), {.float_targets = true});
  const Choices choices = untuned(graph);
  Network network(graph, {.batch = 2, .threads = 1, .choices = &choices});
  EXPECT_TRUE(network.labels().empty());
  ASSERT_EQ(network.targets().size(), 4U);
  fill_parameters(network, 1);
  const std::vector<float> samples = {1, 0, -1, 0.5F, 2, 0};
  const std::vector<float> targets = {0.25F, -3, 1.5F, 7};
  std::ranges::copy(samples, network.input().begin());
  std::ranges::copy(targets, network.targets().begin());
  network.forward();
  double squares = 0;
  for (std::size_t i = 0; i < 4; ++i) squares += std::pow(network.logits()[i] - targets[i], 2);
  EXPECT_NEAR(network.loss(), squares / 4, 1e-5);
  const float before = network.logits()[3];
  network.backward();
  const auto gradient = network.parameters().plain_gradient(network.parameters().table().find("d.bias"));
  EXPECT_NEAR(gradient[1], (network.logits()[1] + 3 + before - 7) / 2, 1e-5) << "2 / elements / samples, summed";
  for (int step = 0; step < 200; ++step) {
    descend(network, 0.2F);
    network.forward();
    network.backward();
  }
  EXPECT_NEAR(network.loss(), 0, 1e-4);
  EXPECT_TRUE(throws_with<UserError>([&] { (void)network.parameters().table().find("d.weigth"); }, "did you mean"));
}

}  // namespace
}  // namespace convoy
