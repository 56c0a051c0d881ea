// A small network on synthetic data with all parts that a Trainer needs, compiled without timing anything.
#pragma once

#include <memory>
#include <vector>

#include "convoy/data/source/synthetic_source.h"
#include "convoy/engine/untuned_test.h"
#include "convoy/graph/builder.h"
#include "convoy/optim/schedule.h"
#include "convoy/train/trainer.h"

namespace convoy {

inline Graph small_graph(bool with_batch_norm = true, float dropout_rate = 0.25F) {
  Graph graph;
  Value x = input(graph, {1, 8, 8});
  x = conv(x, {.out = 8, .kernel = 3, .pad = 1, .bias = !with_batch_norm});
  if (with_batch_norm) x = batch_norm(x);
  x = flatten(global_average_pool(relu(x)));
  if (dropout_rate > 0) x = dropout(x, {.rate = dropout_rate});
  softmax_cross_entropy(dense(x, {.out = 3}));
  return graph;
}

// In evaluation there is neither batch norm nor dropout.
inline Choices for_evaluation(Choices choices) {
  std::erase_if(choices, [](const auto& choice) {
    return choice.first.starts_with("batch_norm") || choice.first.starts_with("dropout");
  });
  return choices;
}

struct SmallTraining {
  explicit SmallTraining(TrainerOptions trainer_options, Graph of_graph = small_graph())
      : options(trainer_options),
        graph(std::move(of_graph)),
        choices(untuned(graph)),
        evaluation_choices(for_evaluation(choices)),
        source(data::make_synthetic_source({.shape = {1, 8, 8}, .classes = 3, .count = 50})),
        network(graph, {.batch = rows_of_piece(options), .threads = 1, .choices = &choices}),
        evaluator(graph, *source,
                  {.compile = {.batch = 8, .threads = 1, .choices = &evaluation_choices}, .loader_threads = 0}),
        optimizer(make_optimizer({.kind = OptimizerKind::momentum}, network.parameters().table().trainable_floats)),
        schedule({.kind = ScheduleKind::cosine, .learning_rate = 0.1, .steps = 200}),
        trainer({network, *optimizer, [this](std::int64_t step) { return schedule.learning_rate(step); }, *source,
                 evaluator},
                options) {
    network.parameters().initialise(graph, Initialiser::he_normal, 7);
  }

  [[nodiscard]] std::vector<float> weights() const {
    const auto values = const_cast<Network&>(network).parameters().parameters();
    return {values.begin(), values.end()};
  }

  TrainerOptions options;
  Graph graph;
  Choices choices;
  Choices evaluation_choices;
  std::unique_ptr<data::Source> source;
  Network network;
  Evaluator evaluator;
  std::unique_ptr<Optimizer> optimizer;
  Schedule schedule;
  Trainer trainer;
};

}  // namespace convoy
