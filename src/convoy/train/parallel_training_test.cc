// Compares training on several ranks, as threads, with training on one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "convoy/base/error.h"
#include "convoy/base/mutex.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/comm/thread/thread_world.h"
#include "convoy/train/rank_training_test.h"
#include "convoy/train/snapshot.h"
#include "convoy/train/weight_average.h"

namespace convoy {
namespace {

struct Result {
  std::vector<double> losses;
  std::vector<std::int64_t> samples;
  std::vector<float> weights;
  std::vector<float> statistics;
  std::vector<float> velocity;
  std::vector<float> average;  // of the weights, if one is kept
  double test_loss = 0;
  std::optional<double> average_test_loss;  // of the last epoch
};

struct Setting {
  int ranks = 1;
  TrainerOptions options;
  Graph graph = small_graph(false);
  ReducerOptions reducer = {.bucket_bytes = 256};
  std::vector<int> node_of_rank = {};
  OptimizerKind optimizer = OptimizerKind::momentum;
};

struct LastEpoch : Observer {
  void on_epoch(const Trainer& /*trainer*/, const EpochEvent& event) override { record = event.record; }
  EpochRecord record;
};

// The first rank's result; checks that the others have the same weights.
Result train(const Setting& setting) {
  Mutex mutex;
  std::vector<Result> results(static_cast<std::size_t>(setting.ranks));
  run_as_threads({.ranks = setting.ranks, .node_of_rank = setting.node_of_rank}, [&](Transport& transport) {
    Communicator communicator(transport);
    RankTraining training(communicator, setting.options, setting.graph, setting.reducer, "gradients", 1,
                          setting.optimizer);
    LastEpoch last;
    training.trainer.add(last);
    (void)training.trainer.run();
    gather_optimizer(training.trainer);
    ParameterStore& store = training.network.parameters();
    const auto copy = [](std::span<const float> values) { return std::vector<float>(values.begin(), values.end()); };
    std::vector<float> average;
    if (WeightAverage* const kept = training.trainer.average()) {
      kept->swap();
      average = copy(store.parameters());
      kept->swap();
    }
    const MutexLock lock(mutex);
    results[static_cast<std::size_t>(transport.rank())] = {
        .losses = training.losses.losses,
        .samples = training.losses.samples,
        .weights = copy(store.parameters()),
        .statistics = copy(store.statistics()),
        .velocity = copy(training.trained.optimizer->state().at(0).values),
        .average = std::move(average),
        .test_loss = training.trainer.state().best.top1,
        .average_test_loss = last.record.average_test_loss};
  });
  for (const Result& result : results) {
    EXPECT_EQ(result.weights, results[0].weights);
    EXPECT_EQ(result.statistics, results[0].statistics);
    EXPECT_EQ(result.losses, results[0].losses);
    EXPECT_EQ(result.average, results[0].average);
  }
  return results[0];
}

void expect_same_curve(const Result& result, const Result& alone, double tolerance) {
  ASSERT_EQ(result.losses.size(), alone.losses.size());
  EXPECT_EQ(result.samples, alone.samples);
  for (std::size_t i = 0; i < alone.losses.size(); ++i) {
    EXPECT_NEAR(result.losses[i], alone.losses[i], tolerance * std::abs(alone.losses[i])) << "step " << i;
  }
  for (std::size_t i = 0; i < alone.velocity.size(); ++i) {
    ASSERT_NEAR(result.velocity[i], alone.velocity[i], 1e-4) << "velocity " << i;
  }
}

// 50 samples: the last batch of an epoch has 2, which is less than the number of ranks in some cases.
TEST(ParallelTraining, AnyNumberOfRanksTrainsLikeOne) {
  const TrainerOptions options{.epochs = 5, .batch = 16};
  const Result alone = train({.ranks = 1, .options = options});
  for (const Algorithm algorithm : {Algorithm::hierarchical, Algorithm::ring, Algorithm::reduce_broadcast}) {
    for (const int ranks : {2, 3, 4}) {
      const Result result =
          train({.ranks = ranks, .options = options, .reducer = {.algorithm = algorithm, .bucket_bytes = 256}});
      SCOPED_TRACE(name_of(algorithm) + ", ranks " + std::to_string(ranks));
      expect_same_curve(result, alone, 1e-4);
      EXPECT_EQ(result.test_loss, alone.test_loss);
    }
  }
}

TEST(ParallelTraining, OverTwoNodesToo) {
  const TrainerOptions options{.epochs = 3, .batch = 16};
  const Result alone = train({.ranks = 1, .options = options});
  expect_same_curve(train({.ranks = 4, .options = options, .node_of_rank = {0, 0, 1, 1}}), alone, 1e-4);
}

TEST(ParallelTraining, AveragesWeightsLikeOne) {
  const TrainerOptions options{.epochs = 3, .batch = 16, .average_decay = 0.9};
  const Result alone = train({.ranks = 1, .options = options});
  ASSERT_FALSE(alone.average.empty());
  for (const std::vector<int>& nodes : {std::vector<int>{0, 0}, {0, 0, 1}}) {
    const Result result = train({.ranks = static_cast<int>(nodes.size()), .options = options, .node_of_rank = nodes});
    expect_same_curve(result, alone, 1e-4);
    for (std::size_t i = 0; i < alone.average.size(); ++i) ASSERT_NEAR(result.average[i], alone.average[i], 1e-4) << i;
    EXPECT_NEAR(result.average_test_loss.value(), alone.average_test_loss.value(), 1e-4);
    EXPECT_NE(result.average, result.weights);
  }
}

TEST(ParallelTraining, ReproducibleAveragesHaveTheSameBits) {
  const TrainerOptions options{.epochs = 2, .batch = 24, .average_decay = 0.9, .grains = 6};
  const Result alone = train({.ranks = 1, .options = options});
  for (const int ranks : {2, 3}) {
    const Result result = train({.ranks = ranks, .options = options});
    EXPECT_EQ(result.average, alone.average) << ranks;
    EXPECT_NEAR(result.average_test_loss.value(), alone.average_test_loss.value(), 1e-6) << "summed in another order";
  }
}

// With a norm to clip at, every step waits for all sums before anything is updated; a norm that is never reached
// changes no bit.
TEST(ParallelTraining, SumsThatComeLateChangeNoBit) {
  for (const std::vector<int>& nodes : {std::vector<int>{0, 1}, {0, 1, 1, 0, 2}}) {
    for (const bool batch_norm : {false, true}) {
      Setting setting{.ranks = static_cast<int>(nodes.size()),
                      .options = {.epochs = 12, .batch = 16, .sync_batch_norm = batch_norm},
                      .graph = small_graph(batch_norm),
                      .node_of_rank = nodes};
      const Result late = train(setting);
      setting.options.clip_norm = 1e9;
      const Result waiting = train(setting);
      EXPECT_EQ(late.weights, waiting.weights);
      EXPECT_EQ(late.statistics, waiting.statistics);
      EXPECT_EQ(late.losses, waiting.losses);
    }
  }
}

TEST(ParallelTraining, ClipsByTheNormOverAllRanks) {
  const TrainerOptions options{.epochs = 3, .batch = 16, .clip_norm = 0.05};
  const Result alone = train({.ranks = 1, .options = options});
  for (const Algorithm algorithm : {Algorithm::hierarchical, Algorithm::ring}) {
    expect_same_curve(train({.ranks = 3, .options = options, .reducer = {algorithm, 256}}), alone, 1e-4);
  }
}

// Ranks that share a node own parts of layers and sum their norms.
TEST(ParallelTraining, LayerWiseRulesGoByWholeLayers) {
  for (const OptimizerKind optimizer : {OptimizerKind::lars, OptimizerKind::lamb}) {
    const TrainerOptions options{.epochs = 3, .batch = 16};
    const Result alone = train({.ranks = 1, .options = options, .optimizer = optimizer});
    for (const Algorithm algorithm : {Algorithm::hierarchical, Algorithm::ring}) {
      expect_same_curve(train({.ranks = 3, .options = options, .reducer = {algorithm, 256}, .optimizer = optimizer}),
                        alone, 1e-4);
    }
    const TrainerOptions grains{.epochs = 2, .batch = 24, .grains = 6};
    EXPECT_EQ(train({.ranks = 3, .options = grains, .optimizer = optimizer}).weights,
              train({.ranks = 1, .options = grains, .optimizer = optimizer}).weights);
  }
}

TEST(ParallelTraining, PiecesAreAddedUpOnEachRank) {
  const TrainerOptions options{.epochs = 2, .batch = 16, .accumulate = 2};
  expect_same_curve(train({.ranks = 2, .options = options}), train({.ranks = 1, .options = options}), 1e-4);
}

// Also holds in the last batch of an epoch, where some ranks have no samples.
TEST(ParallelTraining, BatchNormOverAllRanksTrainsLikeOne) {
  const TrainerOptions options{.epochs = 5, .batch = 16, .sync_batch_norm = true};
  const Graph graph = small_graph(true, 0);
  const Result alone = train({.options = options, .graph = graph});
  for (const Algorithm algorithm : {Algorithm::hierarchical, Algorithm::ring}) {
    for (const int ranks : {2, 3, 4}) {
      SCOPED_TRACE(name_of(algorithm) + ", ranks " + std::to_string(ranks));
      const Result result = train({.ranks = ranks, .options = options, .graph = graph, .reducer = {algorithm, 256}});
      expect_same_curve(result, alone, 1e-4);
      for (std::size_t i = 0; i < alone.statistics.size(); ++i) {
        ASSERT_NEAR(result.statistics[i], alone.statistics[i], 1e-4 * (1 + std::abs(alone.statistics[i])));
      }
    }
  }
}

// With batch norm, whose statistics are per grain, and dropout.
TEST(ParallelTraining, GrainsGiveTheSameBitsWithAnyNumberOfRanks) {
  const TrainerOptions options{.epochs = 3, .batch = 24, .grains = 12};
  const Result alone = train({.ranks = 1, .options = options, .graph = small_graph()});
  for (const int ranks : {2, 3, 4, 6}) {
    SCOPED_TRACE(ranks);
    const Result result = train({.ranks = ranks, .options = options, .graph = small_graph()});
    EXPECT_EQ(result.weights, alone.weights);
    EXPECT_EQ(result.statistics, alone.statistics);
    EXPECT_EQ(result.velocity, alone.velocity);
  }
}

TEST(ParallelTraining, GrainsAreMeansOverTheBatch) {
  const Result grains = train({.options = {.epochs = 3, .batch = 16, .grains = 4}});
  expect_same_curve(grains, train({.options = {.epochs = 3, .batch = 16}}), 1e-4);
}

// Changes the weights of its rank, once.
struct Fault : Observer {
  explicit Fault(ParameterStore& of) : store(of) {}
  void on_step(const Trainer& trainer, const StepEvent& /*event*/) override {
    if (trainer.state().step == 2) store.parameters()[5] += 1;
  }
  ParameterStore& store;
};

TEST(ParallelTraining, ARankWithOtherWeightsIsNamed) {
  run_as_threads({.ranks = 3}, [](Transport& transport) {
    Communicator communicator(transport);
    RankTraining training(communicator, {.epochs = 3, .batch = 16, .compare_every = 1}, small_graph(false),
                          {.algorithm = Algorithm::ring});
    Fault fault(training.network.parameters());
    if (transport.rank() == 1) training.trainer.add(fault);
    EXPECT_TRUE(
        throws_with<SystemError>([&] { (void)training.trainer.run(); }, "after step 3 the weights of rank 1 on"));
  });
}

TEST(ParallelTraining, RefusesMoreRanksThanRows) {
  EXPECT_THROW((void)train({.ranks = 3, .options = {.batch = 2}}), UserError);
  EXPECT_THROW((void)train({.ranks = 3, .options = {.batch = 16, .grains = 4}}), UserError);
}

}  // namespace
}  // namespace convoy
