// Defines a small network, trains it on generated images and prints how well it classifies new ones.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "convoy/convoy.h"

using namespace convoy;

// Fills a batch with images of stripes in one of four directions, at a random place, with noise as strong as the
// stripes.
static void draw(Rng& rng, std::span<float> images, std::span<std::int32_t> labels) {
  for (std::size_t n = 0; n < labels.size(); ++n) {
    labels[n] = static_cast<std::int32_t>(rng.below(4));
    const float angle = static_cast<float>(labels[n]) * 0.785F;  // steps of 45 degrees
    const float start = rng.uniform(0, 6);
    for (int i = 0; i < 256; ++i) {
      const std::div_t at = std::div(i, 16);
      const float along = static_cast<float>(at.rem) * std::cos(angle) + static_cast<float>(at.quot) * std::sin(angle);
      images[n * 256 + static_cast<std::size_t>(i)] = std::sin(start + along) + rng.normal();
    }
  }
}

int main() {
  Graph graph;
  Value x = input(graph, {1, 16, 16});
  x = relu(batch_norm(conv(x, {.out = 16, .kernel = 5, .pad = 2, .bias = false})));
  x = relu(batch_norm(conv(x, {.out = 32, .kernel = 3, .stride = 2, .pad = 1, .bias = false})));
  softmax_cross_entropy(dense(flatten(global_average_pool(x)), {.out = 4}));

  Network network(graph, {.batch = 32, .threads = 2});
  ParameterStore& store = network.parameters();
  store.initialise(graph, Initialiser::he_normal, /*seed=*/1);
  const auto optimizer = make_optimizer({.kind = OptimizerKind::momentum}, store.table().arena_floats);
  Rng rng(2);
  for (int step = 1; step <= 60; ++step) {
    draw(rng, network.input(), network.labels());
    network.forward();
    network.backward();
    optimizer->begin_step(/*learning_rate=*/0.05);
    optimizer->update(0, store.parameters(), store.gradients());
    if (step % 10 == 0) std::printf("step %2d  loss %.3f\n", step, network.loss());
  }

  Predictor predictor(graph, {.batch = 500, .threads = 2});
  predictor.load(store);
  draw(rng, predictor.input(), predictor.labels());
  predictor.forward();
  int right = 0;
  for (std::size_t n = 0; n < 500; ++n) {
    const auto scores = predictor.logits().subspan(4 * n, 4);
    right += std::ranges::max_element(scores) - scores.begin() == predictor.labels()[n] ? 1 : 0;
  }
  std::printf("accuracy on new images: %.1f %%\n", right / 5.0);
  return right >= 475 ? EXIT_SUCCESS : EXIT_FAILURE;
}
