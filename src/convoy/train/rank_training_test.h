// SmallTraining as one rank of several.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "convoy/train/model_card.h"
#include "convoy/train/replica_network.h"
#include "convoy/train/small_training_test.h"

namespace convoy {

inline const ModelCard kSmallCard = {.model = "small", .input = {1, 8, 8}, .classes = {"a", "b", "c"}};

inline void expect_weights_near(const std::vector<float>& a, const std::vector<float>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], tolerance) << i;
}

struct Losses : Observer {
  void on_step(const Trainer& /*trainer*/, const StepEvent& event) override {
    losses.push_back(event.record.loss);
    samples.push_back(event.record.samples);
  }
  std::vector<double> losses;
  std::vector<std::int64_t> samples;
};

struct RankTraining {
  RankTraining(Communicator& communicator, const TrainerOptions& trainer_options, const Graph& graph,
               const ReducerOptions& reducer, const std::string& dense = "gradients", int threads = 1,
               OptimizerKind optimizer = OptimizerKind::momentum, DataType precision = DataType::fp32)
      : choices(untuned(graph)),
        evaluation_choices(for_evaluation(choices)),
        source(data::make_synthetic_source({.shape = {1, 8, 8}, .classes = 3, .count = 50})),
        trained(communicator, graph,
                compile(graph, {.batch = rows_of_piece(trainer_options, communicator.size()),
                                .threads = threads,
                                .precision = precision,
                                .choices = &choices,
                                .by_rows = layers_to_divide({.how = dense}, graph, communicator.nodes().node_count())}),
                {.reducer = reducer,
                 .optimizer = {.kind = optimizer},
                 .dense = {.how = dense, .rows = rows_of_step(trainer_options)}}),
        network(trained.network),
        evaluator(graph, *source,
                  {.compile = {.batch = 8, .threads = 1, .choices = &evaluation_choices}, .loader_threads = 0}),
        trainer({network, *trained.optimizer, [](std::int64_t) { return 0.1; }, *source, evaluator, &trained.replica},
                trainer_options) {
    network.parameters().initialise(graph, Initialiser::he_normal, 7);
    trainer.add(losses);
  }

  Choices choices;
  Choices evaluation_choices;
  std::unique_ptr<data::Source> source;
  ReplicaNetwork trained;
  Network& network;
  Evaluator evaluator;
  Losses losses;
  Trainer trainer;
};

}  // namespace convoy
