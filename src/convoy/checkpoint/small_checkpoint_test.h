// A checkpoint for tests: small, and different for each step and weight.
#pragma once

#include <gtest/gtest.h>

#include "convoy/checkpoint/checkpoint.h"

namespace convoy {

inline Checkpoint small_checkpoint(std::int64_t step, float weight = 1) {
  using Floats = std::vector<float>;
  const auto number = static_cast<float>(step);
  return {.model = "lenet",
          .data = "mnist",
          .epoch = step / 10,
          .step = step,
          .optimizer_steps = step - 1,
          .best_metric = 0.5,
          .training = {{"seed", 7}, {"schedule", {{"kind", "cosine"}}}},
          .run = {{"settings", {{"lr", 0.1}}}},
          .weights = {{"conv1.weight", {2, 1, 1, 2}, Floats{weight, number, 3, 4}},
                      {"bn1.num_batches_tracked", {}, std::vector<std::int64_t>{step}}},
          .optimizer = {{"momentum/conv1.weight", {2, 1, 1, 2}, Floats{5, 6, 7, number}}}};
}

inline bool same(const Checkpoint& a, const Checkpoint& b) {
  return a.model == b.model && a.data == b.data && a.epoch == b.epoch && a.step == b.step &&
         a.optimizer_steps == b.optimizer_steps && a.best_metric == b.best_metric && a.training == b.training &&
         a.run == b.run && a.weights == b.weights && a.optimizer == b.optimizer;
}

}  // namespace convoy
