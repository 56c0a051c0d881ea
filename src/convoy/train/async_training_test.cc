// Training in which ranks do not wait for each other's steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "convoy/base/error.h"
#include "convoy/base/mutex.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/comm/thread/thread_world.h"
#include "convoy/train/rank_training_test.h"
#include "convoy/train/snapshot.h"

namespace convoy {
namespace {

struct AsyncRun {
  int ranks = 3;
  std::int64_t staleness = 2;
  TrainerOptions trainer = {.epochs = 5, .batch = 16};
  Graph graph = small_graph();
  OptimizerKind optimizer = OptimizerKind::momentum;
  DataType precision = DataType::fp32;
  bool runs = true;  // otherwise it only starts
};

// What was told of each step.
struct Told : Observer {
  void on_step(const Trainer& trainer, const StepEvent& event) override {
    steps.push_back(event.record.step);
    if (event.is_newest) meetings.push_back(event.record.step);
    EXPECT_EQ(event.is_newest, event.record.step == trainer.state().step);
  }
  std::vector<std::int64_t> steps, meetings;
};

struct AsyncResult {
  std::vector<std::vector<float>> weights;  // by rank
  std::vector<std::vector<float>> statistics;
  std::vector<double> losses;
  std::vector<std::int64_t> samples, steps, meetings;
  TrainingState state;
  Checkpoint checkpoint;
};

// Trains from the beginning, or from the checkpoint `start`.
AsyncResult train_apart(const AsyncRun& run, const Checkpoint* start = nullptr) {
  Mutex mutex;
  AsyncResult result;
  result.weights.resize(static_cast<std::size_t>(run.ranks));
  result.statistics.resize(static_cast<std::size_t>(run.ranks));
  run_as_threads({.ranks = run.ranks}, [&](Transport& transport) {
    Communicator communicator(transport);
    RankTraining training(communicator, run.trainer, run.graph, {.staleness = run.staleness}, "gradients", 1,
                          run.optimizer, run.precision);
    if (transport.rank() == 0 && start != nullptr) restore(*start, kSmallCard, training.trainer);
    share_start(training.trainer);
    Told told;
    training.trainer.add(told);
    if (run.runs) (void)training.trainer.run();
    gather_optimizer(training.trainer);
    const MutexLock lock(mutex);
    const auto rank = static_cast<std::size_t>(transport.rank());
    ParameterStore& store = training.network.parameters();
    result.weights[rank] = {store.parameters().begin(), store.parameters().end()};
    result.statistics[rank] = {store.statistics().begin(), store.statistics().end()};
    if (rank != 0) return;
    result.losses = training.losses.losses;
    result.samples = training.losses.samples;
    result.steps = told.steps;
    result.meetings = told.meetings;
    result.state = training.trainer.state();
    result.checkpoint = take_snapshot(training.trainer, kSmallCard, "synthetic");
  });
  return result;
}

double mean_of_last(const std::vector<double>& losses) {
  constexpr std::ptrdiff_t kLast = 8;
  return std::accumulate(losses.end() - kLast, losses.end(), 0.0) / kLast;
}

// An epoch of one step ends with a meeting, so all gradients of a step are of the same parameters. A rule that is
// linear in gradients and remembers nothing then takes the steps of synchronous training.
TEST(AsyncTraining, StepsFromTheSamePlaceAreOrdinarySteps) {
  for (const int ranks : {2, 3, 5}) {
    AsyncRun run{.ranks = ranks,
                 .trainer = {.epochs = 8, .batch = 50},
                 .graph = small_graph(false, 0),
                 .optimizer = OptimizerKind::sgd};
    const AsyncResult apart = train_apart(run);
    run.staleness = 0;
    const AsyncResult together = train_apart(run);
    expect_weights_near(apart.weights[0], together.weights[0], 2e-6);
    ASSERT_EQ(apart.losses.size(), 8U);
    for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(apart.losses[i], together.losses[i], 1e-5);
  }
}

TEST(AsyncTraining, LearnsAndRanksMeet) {
  for (const DataType precision : {DataType::fp32, DataType::bf16}) {
    for (const OptimizerKind optimizer : {OptimizerKind::sgd, OptimizerKind::momentum, OptimizerKind::adam}) {
      AsyncRun run{.optimizer = optimizer, .precision = precision};
      run.trainer.epochs = 20;
      const AsyncResult apart = train_apart(run);
      run.staleness = 0;
      const AsyncResult together = train_apart(run);
      EXPECT_EQ(apart.samples, together.samples);
      EXPECT_EQ(apart.state.step, 80);
      // With momentum, late updates overshoot at this rate now and then.
      if (optimizer == OptimizerKind::sgd) {
        EXPECT_LT(mean_of_last(apart.losses), 0.9 * apart.losses.front());
        EXPECT_NEAR(mean_of_last(apart.losses), mean_of_last(together.losses), 0.2 * apart.losses.front());
      }
      for (std::size_t rank = 1; rank < apart.weights.size(); ++rank) {
        EXPECT_EQ(apart.weights[rank], apart.weights[0]);
        EXPECT_EQ(apart.statistics[rank], apart.statistics[0]);
      }
    }
  }
}

// Rows that are computed in pieces are the same rows.
TEST(AsyncTraining, PiecesAddUp) {
  AsyncRun run{.ranks = 2,
               .trainer = {.epochs = 6, .batch = 50},
               .graph = small_graph(false, 0),
               .optimizer = OptimizerKind::sgd};
  const AsyncResult whole = train_apart(run);
  run.trainer.accumulate = 3;
  expect_weights_near(train_apart(run).weights[0], whole.weights[0], 2e-6);
}

TEST(AsyncTraining, GoesOnFromACheckpoint) {
  const AsyncResult part = train_apart({.trainer = {.epochs = 2, .batch = 16}});
  // What every owner remembers of its shard is in the checkpoint.
  for (const NamedTensor& tensor : part.checkpoint.optimizer) {
    const auto& values = std::get<std::vector<float>>(tensor.values);
    EXPECT_TRUE(std::ranges::any_of(values, [](float value) { return value != 0; })) << tensor.name;
  }
  for (const int ranks : {1, 2, 4}) {
    const AsyncResult restored = train_apart({.ranks = ranks, .runs = false}, &part.checkpoint);
    EXPECT_EQ(restored.weights.back(), part.weights[0]);
    EXPECT_TRUE(restored.checkpoint.optimizer == part.checkpoint.optimizer);
    const AsyncResult rest = train_apart({.ranks = ranks}, &part.checkpoint);
    EXPECT_EQ(rest.state.step, 20);
    EXPECT_EQ(rest.losses.size(), 12U);
  }
}

// An epoch of 13 steps: the first meeting is after four, when nothing is known of their time; then there is time for
// all that are left.
TEST(AsyncTraining, StepsAreToldInOrderAtMeetings) {
  const AsyncResult result = train_apart({.trainer = {.epochs = 2, .batch = 4}});
  std::vector<std::int64_t> all(26);
  std::iota(all.begin(), all.end(), 1);
  EXPECT_EQ(result.steps, all);
  EXPECT_EQ(result.meetings, (std::vector<std::int64_t>{4, 13, 17, 26}));
}

TEST(AsyncTraining, StopsAtAMeeting) {
  AsyncRun run{.trainer = {.epochs = 40, .batch = 4}};
  run.trainer.stop.max_seconds = 1e-9;
  const AsyncResult result = train_apart(run);
  EXPECT_EQ(result.state.step, 4);
  EXPECT_EQ(result.weights[1], result.weights[0]);
  // Within an epoch, too, everything is there to go on.
  run.trainer = {.epochs = 1, .batch = 4};
  const AsyncResult rest = train_apart(run, &result.checkpoint);
  EXPECT_EQ(rest.steps.front(), 5);
  EXPECT_EQ(rest.state.step, 13);
}

TEST(AsyncTraining, RefusesWhatNeedsStepsOfAllRanks) {
  for (const TrainerOptions& options : {TrainerOptions{.epochs = 1, .batch = 16, .clip_norm = 1},
                                        TrainerOptions{.epochs = 1, .batch = 16, .average_decay = 0.9},
                                        TrainerOptions{.epochs = 1, .batch = 16, .sync_batch_norm = true}}) {
    EXPECT_TRUE(throws_with<UserError>([&] { (void)train_apart({.trainer = options}); }, "asynchronous training"));
  }
}

}  // namespace
}  // namespace convoy
