// Models of the zoo learn with every loss they can be built with.
#include <gtest/gtest.h>

#include <algorithm>

#include "convoy/base/rng.h"
#include "convoy/engine/network.h"
#include "convoy/engine/predictor.h"
#include "convoy/models/zoo.h"
#include "convoy/optim/optimizer.h"

namespace convoy {
namespace {

constexpr int kClasses = 4;

// Random images with random labels: the network can only learn them by heart.
template <typename Net>
void fill(Net& net) {
  Rng rng(3);
  for (float& x : net.input()) x = rng.uniform(-1, 1);
  for (std::int32_t& label : net.labels()) label = static_cast<std::int32_t>(rng.below(kClasses));
}

template <typename Net>
int correct(Net& net) {
  int count = 0;
  for (std::size_t n = 0; n < net.labels().size(); ++n) {
    const auto row = net.logits().subspan(n * kClasses, kClasses);
    count += std::ranges::max_element(row) - row.begin() == net.labels()[n] ? 1 : 0;
  }
  return count;
}

void expect_learns(const ModelOptions& options, float rate, double loss_below) {
  const Graph graph = build_model("lenet", options);
  Network network(graph, {.batch = 8, .threads = 2, .exact = true});
  ParameterStore& store = network.parameters();
  store.initialise(graph, Initialiser::he_normal, 1);
  const auto optimizer = make_optimizer({.kind = OptimizerKind::momentum}, store.gradients().size());
  fill(network);
  network.forward();
  EXPECT_LT(correct(network), 8) << "nothing is left to learn";
  for (int step = 0; step < 60; ++step) {
    network.forward();
    network.backward();
    optimizer->begin_step(rate);
    optimizer->update(0, store.parameters(), store.gradients());
  }
  network.forward();
  EXPECT_LT(network.loss(), loss_below);
  EXPECT_EQ(correct(network), 8);
  Predictor predictor(graph, {.batch = 8, .threads = 2});
  predictor.load(store);
  fill(predictor);
  predictor.forward();
  EXPECT_EQ(correct(predictor), 8);
  EXPECT_NEAR(predictor.loss(), network.loss(), 1e-4);
}

const Shape kImage = {1, 12, 12};

TEST(Losses, CrossEntropyIsLearnt) { expect_learns({.input = kImage, .classes = kClasses}, 0.01F, 0.05); }

// With a share of 0.2 spread over four classes the lowest possible loss is 0.5875, the entropy of the target.
TEST(Losses, SmoothedCrossEntropyIsLearnt) {
  expect_learns({.input = kImage, .classes = kClasses, .label_smoothing = 0.2F}, 0.01F, 0.65);
}

TEST(Losses, MeanSquaredErrorIsLearnt) {
  expect_learns({.input = kImage, .classes = kClasses, .loss = Loss::mean_squared_error}, 0.003F, 0.01);
}

}  // namespace
}  // namespace convoy
