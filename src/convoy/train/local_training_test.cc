// Training in which groups of ranks take steps alone and then average their models.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "convoy/base/mutex.h"
#include "convoy/comm/thread/thread_world.h"
#include "convoy/train/local_state.h"
#include "convoy/train/rank_training_test.h"
#include "convoy/train/snapshot.h"

namespace convoy {
namespace {

struct LocalRun {
  std::vector<int> node_of_rank;
  LocalOptions local;
  TrainerOptions trainer = {.epochs = 4, .batch = 16, .compare_every = 1};
  std::int64_t stop_after = 1000;  // steps
  bool runs = true;                // otherwise it only starts
  Graph graph = small_graph();
  OptimizerKind optimizer = OptimizerKind::momentum;
};

struct LocalResult {
  std::vector<std::vector<float>> weights;  // by rank
  std::vector<std::vector<float>> statistics;
  std::vector<double> losses;
  double wire_bytes = 0;
  Checkpoint checkpoint;
};

// Asks to stop after some steps.
struct StopAfter : Observer {
  void on_step(const Trainer& /*trainer*/, const StepEvent& event) override {
    done = event.record.step;
    wire_bytes += event.record.wire_bytes.value_or(0);
  }
  std::int64_t done = 0;
  double wire_bytes = 0;
};

// Trains from the beginning, or from the checkpoint `start`.
LocalResult train_locally(const LocalRun& run, const Checkpoint* start = nullptr) {
  Mutex mutex;
  LocalResult result;
  result.weights.resize(run.node_of_rank.size());
  result.statistics.resize(run.node_of_rank.size());
  run_as_threads({.ranks = static_cast<int>(run.node_of_rank.size()), .node_of_rank = run.node_of_rank},
                 [&](Transport& transport) {
                   Communicator communicator(transport);
                   RankTraining training(communicator, run.trainer, run.graph,
                                         {.bucket_bytes = 128, .local = run.local}, "gradients", 1, run.optimizer);
                   StopAfter stop;
                   training.trainer.add(stop);
                   const bool has_start = transport.rank() == 0 && start != nullptr;
                   if (has_start) restore(*start, kSmallCard, training.trainer);
                   share_start(training.trainer);
                   share_groups(
                       has_start ? std::span<const NamedTensor>(start->optimizer) : std::span<const NamedTensor>(),
                       training.trainer);
                   if (run.runs) (void)training.trainer.run([&] { return stop.done + 1 >= run.stop_after; });
                   gather_optimizer(training.trainer);
                   std::vector<NamedTensor> groups = gather_groups(training.trainer);
                   const MutexLock lock(mutex);
                   const auto rank = static_cast<std::size_t>(transport.rank());
                   ParameterStore& store = training.network.parameters();
                   result.weights[rank] = {store.parameters().begin(), store.parameters().end()};
                   result.statistics[rank] = {store.statistics().begin(), store.statistics().end()};
                   if (rank != 0) return;
                   result.losses = training.losses.losses;
                   result.wire_bytes = stop.wire_bytes;
                   result.checkpoint = take_snapshot(training.trainer, kSmallCard, "synthetic");
                   std::ranges::move(groups, std::back_inserter(result.checkpoint.optimizer));
                 });
  return result;
}

// After one step from the same place, the mean of the models is what the mean gradient gives, and the same holds for
// the optimizer's state. So rules that are linear in gradients train as without local steps, apart from rounding.
TEST(LocalTraining, BlocksOfOneStepAreOrdinarySteps) {
  const TrainerOptions whole_batches{.epochs = 6, .batch = 50, .compare_every = 1};
  const Graph graph = small_graph(false, 0);
  for (const std::vector<int>& nodes : {std::vector<int>{0, 1}, {0, 0}, {0, 0, 1, 1, 2}, {0, 0, 0, 0, 0}}) {
    const LocalResult together =
        train_locally({.node_of_rank = nodes, .local = {}, .trainer = whole_batches, .graph = graph});
    const LocalResult alone =
        train_locally({.node_of_rank = nodes, .local = {.steps = 5}, .trainer = whole_batches, .graph = graph});
    const bool has_equal_groups = nodes.size() == 2 || nodes.back() == 0;
    if (has_equal_groups) expect_weights_near(alone.weights[0], together.weights[0], 2e-5);
    for (const auto& weights : alone.weights) EXPECT_EQ(weights, alone.weights[0]);
  }
}

TEST(LocalTraining, RanksHaveTheSameModelAfterAverages) {
  for (const std::vector<int>& nodes : {std::vector<int>{0, 1}, {0, 0, 0}, {0, 1, 1, 0, 2}}) {
    const LocalResult result = train_locally({.node_of_rank = nodes, .local = {.steps = 3}});
    const LocalResult together = train_locally({.node_of_rank = nodes, .local = {}});
    EXPECT_NE(result.weights[0], together.weights[0]);
    EXPECT_NEAR(result.losses.back(), together.losses.back(), 0.4 * together.losses.back());
    for (std::size_t rank = 0; rank < nodes.size(); ++rank) {
      EXPECT_EQ(result.weights[rank], result.weights[0]);
      EXPECT_EQ(result.statistics[rank], result.statistics[0]);
    }
    EXPECT_EQ(result.wire_bytes<together.wire_bytes, nodes.back()> 0);
  }
}

TEST(LocalTraining, GroupsDifferWithinABlockAndRanksOfANodeDoNot) {
  const LocalResult result = train_locally({.node_of_rank = {0, 1, 1, 0}, .local = {.steps = 4}, .stop_after = 2});
  EXPECT_EQ(result.weights[0], result.weights[3]);
  EXPECT_EQ(result.weights[1], result.weights[2]);
  EXPECT_NE(result.weights[0], result.weights[1]);
  EXPECT_EQ(result.statistics[0], result.statistics[3]);
  EXPECT_NE(result.statistics[0], result.statistics[1]);
}

TEST(LocalTraining, IsOrdinaryUntilItBegins) {
  for (const std::vector<int>& nodes : {std::vector<int>{0, 1, 1}, {0, 0}}) {
    const LocalResult together = train_locally({.node_of_rank = nodes, .local = {}});
    const LocalResult never = train_locally({.node_of_rank = nodes, .local = {.steps = 4, .after = 1000}});
    EXPECT_EQ(never.weights[0], together.weights[0]);
    const LocalResult later = train_locally({.node_of_rank = nodes, .local = {.steps = 4, .after = 6}});
    EXPECT_TRUE(std::equal(together.losses.begin(), together.losses.begin() + 7, later.losses.begin()));
    EXPECT_NE(later.losses, together.losses);
  }
}

// Interrupted within blocks, between them and before the first; an epoch has four steps.
TEST(LocalTraining, GoesOnToTheBit) {
  const std::vector<LocalOptions> all = {
      {.steps = 3},
      {.steps = 3, .reset = true},
      {.steps = 3, .after = 5},
      {.steps = 3, .block_rate = 0.9, .block_momentum = 0.5},
      {.steps = 3, .after = 2, .block_momentum = 0.5, .block_nesterov = true},
  };
  for (const LocalOptions& local : all) {
    for (const std::vector<int>& nodes : {std::vector<int>{0, 1}, {0, 0, 0}, {0, 1, 1, 0, 2}}) {
      const LocalResult whole = train_locally({.node_of_rank = nodes, .local = local});
      for (const int stop : {2, 3, 6, 8}) {
        SCOPED_TRACE(stop);
        const LocalResult part = train_locally({.node_of_rank = nodes, .local = local, .stop_after = stop});
        EXPECT_NE(part.weights[0], whole.weights[0]);
        const LocalResult rest = train_locally({.node_of_rank = nodes, .local = local}, &part.checkpoint);
        EXPECT_EQ(rest.weights, whole.weights);
        EXPECT_EQ(rest.statistics, whole.statistics);
      }
    }
  }
}

TEST(LocalTraining, OtherGroupsBeginWithTheMean) {
  const LocalResult two = train_locally({.node_of_rank = {0, 1}, .local = {.steps = 4}, .stop_after = 2});
  std::vector<float> mean(two.weights[0].size());
  for (std::size_t i = 0; i < mean.size(); ++i) mean[i] = (two.weights[0][i] + two.weights[1][i]) / 2;
  for (const std::vector<int>& other : {std::vector<int>{0}, {0, 1, 2}, {0, 0, 0}}) {
    const LocalResult moved =
        train_locally({.node_of_rank = other, .local = {.steps = 4}, .runs = false}, &two.checkpoint);
    for (const auto& weights : moved.weights) expect_weights_near(weights, mean, 1e-6);
  }
}

TEST(LocalTraining, EarlyStopsEvaluateOneModel) {
  TrainerOptions options{.epochs = 40, .batch = 16};
  options.stop.max_seconds = 1e-9;
  const LocalResult result = train_locally({.node_of_rank = {0, 1}, .local = {.steps = 4}, .trainer = options});
  EXPECT_EQ(result.losses.size(), 1U);
  EXPECT_EQ(result.weights[0], result.weights[1]);
}

}  // namespace
}  // namespace convoy
