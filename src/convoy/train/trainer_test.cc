#include "convoy/train/trainer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/train/small_training_test.h"

namespace convoy {
namespace {

struct Recorded : Observer {
  void on_step(const Trainer& /*trainer*/, const StepEvent& event) override { steps.push_back(event.record); }
  void on_epoch(const Trainer& /*trainer*/, const EpochEvent& event) override {
    epochs.push_back(event.record);
    best.push_back(event.is_best);
  }
  void on_end(const Trainer& /*trainer*/, const Outcome& outcome) override { ends.push_back(outcome.kind); }
  void on_failure(const std::exception& error) override { failures.emplace_back(error.what()); }

  std::vector<StepRecord> steps;
  std::vector<EpochRecord> epochs;
  std::vector<bool> best;
  std::vector<EndKind> ends;
  std::vector<std::string> failures;
};

TEST(Trainer, LearnsAndTellsEveryStepAndEpoch) {
  SmallTraining training({.epochs = 40, .batch = 16, .seed = 1}, small_graph(true, 0));
  Recorded recorded;
  training.trainer.add(recorded);
  EXPECT_EQ(training.trainer.run().kind, EndKind::completed);
  ASSERT_EQ(recorded.steps.size(), 40U * 4);  // 50 samples: three batches of 16 and one of 2
  EXPECT_EQ(recorded.steps[3].samples, 2);
  EXPECT_EQ(recorded.steps.back().step, 160);
  ASSERT_EQ(recorded.epochs.size(), 40U);
  EXPECT_EQ(recorded.epochs[0].samples, 50);
  EXPECT_LT(recorded.epochs.back().train_loss, 0.7 * recorded.epochs.front().train_loss);
  EXPECT_GT(recorded.epochs.back().test_top1.value(), 0.6);
  EXPECT_EQ(recorded.ends, std::vector{EndKind::completed});
}

TEST(Trainer, AnEpochMayBeAPartOfAPassThatGoesOn) {
  SmallTraining passes({.epochs = 3, .batch = 16, .seed = 1});
  SmallTraining parts({.epochs = 6, .batch = 16, .epoch_samples = 20, .seed = 1});
  Recorded whole;
  Recorded cut;
  passes.trainer.add(whole);
  parts.trainer.add(cut);
  (void)passes.trainer.run();
  (void)parts.trainer.run();
  ASSERT_EQ(cut.epochs.size(), 6U);
  ASSERT_EQ(cut.steps.size(), 12U) << "two steps an epoch, as many as three passes of four have";
  EXPECT_EQ(cut.epochs[0].samples, 32);
  EXPECT_EQ(cut.epochs[1].samples, 18) << "the pass ends with a batch of 2";
  EXPECT_EQ(cut.steps[4].epoch, 3);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(cut.steps[i].loss, whole.steps[i].loss) << i;
}

TEST(Trainer, EpochsMeanOverSamplesNotOverSteps) {
  SmallTraining training({.epochs = 1, .batch = 16});
  Recorded recorded;
  training.trainer.add(recorded);
  (void)training.trainer.run();
  double sum = 0;
  for (const StepRecord& step : recorded.steps) sum += step.loss * static_cast<double>(step.samples);
  EXPECT_NEAR(recorded.epochs[0].train_loss, sum / 50, 1e-12);
}

// Weights, optimizer's state and training state are all that a trainer needs to continue; dropout, order and schedule
// follow from these.
void copy_training(SmallTraining& from, SmallTraining& to) {
  std::ranges::copy(from.network.parameters().parameters(), to.network.parameters().parameters().begin());
  std::ranges::copy(from.network.parameters().statistics(), to.network.parameters().statistics().begin());
  const auto state = from.optimizer->state();
  for (std::size_t i = 0; i < state.size(); ++i) {
    std::ranges::copy(state[i].values, to.optimizer->state()[i].values.begin());
  }
  to.optimizer->set_steps(from.optimizer->steps());
  to.trainer.set_state(from.trainer.state());
}

TEST(Trainer, GoesOnFromAnyStepToTheBit) {
  const TrainerOptions options{.epochs = 3, .batch = 16, .seed = 3, .augment = {.crop_padding = 1, .flip = true}};
  SmallTraining whole(options);
  Recorded whole_record;
  whole.trainer.add(whole_record);
  (void)whole.trainer.run();
  for (const int stop_after : {1, 3, 4, 6, 11}) {
    SmallTraining first(options);
    int asked = 0;
    EXPECT_EQ(first.trainer.run([&] { return first.trainer.state().step >= stop_after && ++asked > 0; }).kind,
              EndKind::interrupted);
    SmallTraining second(options);
    copy_training(first, second);
    Recorded rest;
    second.trainer.add(rest);
    (void)second.trainer.run();
    EXPECT_EQ(second.weights(), whole.weights()) << "stopped after " << stop_after;
    EXPECT_EQ(rest.epochs.back().train_loss, whole_record.epochs.back().train_loss) << stop_after;
    EXPECT_EQ(rest.epochs.back().test_loss, whole_record.epochs.back().test_loss) << stop_after;
    EXPECT_EQ(second.trainer.state().best.top1, whole.trainer.state().best.top1);
  }
}

TEST(Trainer, AnInterruptedEvaluationIsMadeLater) {
  const TrainerOptions options{.epochs = 2, .batch = 16};
  SmallTraining first(options);
  Recorded none;
  first.trainer.add(none);
  // `interrupted` is first called during the evaluation after step 4.
  (void)first.trainer.run([&] { return first.trainer.state().step == 4; });
  EXPECT_TRUE(none.epochs.empty());
  SmallTraining second(options);
  copy_training(first, second);
  Recorded both;
  second.trainer.add(both);
  (void)second.trainer.run();
  ASSERT_EQ(both.epochs.size(), 2U);
  EXPECT_EQ(both.epochs[0].end_step, 4);
  EXPECT_EQ(both.epochs[0].samples, 50);
}

// Without batch norm, whose statistics are per piece, the gradients of pieces sum to that of the whole batch.
TEST(Trainer, PiecesAddUpToTheBatch) {
  const Graph graph = small_graph(false);
  SmallTraining whole({.epochs = 2, .batch = 16}, graph);
  SmallTraining pieces({.epochs = 2, .batch = 16, .accumulate = 3}, graph);
  (void)whole.trainer.run();
  (void)pieces.trainer.run();
  const auto expected = whole.weights();
  const auto actual = pieces.weights();
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(actual[i], expected[i], 1e-5) << i;
  EXPECT_NE(actual, std::vector<float>(actual.size()));
}

TEST(Trainer, ClippingBoundsTheStep) {
  SmallTraining free({.epochs = 1, .batch = 50});
  SmallTraining clipped({.epochs = 1, .batch = 50, .clip_norm = 1e-3});
  const auto before = free.weights();
  (void)free.trainer.run();
  (void)clipped.trainer.run();
  const auto distance = [&](const std::vector<float>& after) {
    double sum = 0;
    for (std::size_t i = 0; i < before.size(); ++i) sum += std::pow(after[i] - before[i], 2);
    return std::sqrt(sum);
  };
  EXPECT_NEAR(distance(clipped.weights()), 0.1 * 1e-3, 1e-7);  // rate times norm
  EXPECT_GT(distance(free.weights()), 0.1 * 1e-3 * 2);
}

TEST(Trainer, BatchAugmentationFillsRowsOfTheBatch) {
  SmallTraining training({.epochs = 1, .batch = 16, .instances = 2});
  Recorded recorded;
  training.trainer.add(recorded);
  (void)training.trainer.run();
  EXPECT_EQ(recorded.steps.size(), 4U);
  EXPECT_EQ(recorded.epochs[0].samples, 100);
}

TEST(Trainer, StopsWhereItDiverges) {
  SmallTraining training({.epochs = 2, .batch = 16});
  training.network.parameters().parameters()[0] = std::numeric_limits<float>::infinity();
  Recorded recorded;
  training.trainer.add(recorded);
  try {
    (void)training.trainer.run();
    FAIL() << "went on";
  } catch (const DivergedError& error) {
    EXPECT_NE(std::string(error.what()).find("step 1"), std::string::npos) << error.what();
  }
  EXPECT_EQ(recorded.failures.size(), 1U);
  EXPECT_TRUE(recorded.ends.empty());
}

TEST(Trainer, AFailureIsToldToAllAndNotHiddenByAnother) {
  struct DiskIsFull : Observer {
    void on_step(const Trainer& /*trainer*/, const StepEvent& /*event*/) override { throw SystemError("disk full"); }
    void on_failure(const std::exception& /*error*/) override { throw SystemError("disk still full"); }
  };
  SmallTraining training({.epochs = 1, .batch = 16});
  DiskIsFull disk;
  Recorded recorded;
  training.trainer.add(disk);
  training.trainer.add(recorded);
  EXPECT_TRUE(throws_with<SystemError>([&] { (void)training.trainer.run(); }, "disk full"));
  EXPECT_EQ(recorded.failures, std::vector<std::string>{"disk full"});
}

TEST(Trainer, EvaluatesEverySoManyEpochsAndTheLast) {
  SmallTraining training({.epochs = 3, .batch = 25, .evaluate_every = 2});
  Recorded recorded;
  training.trainer.add(recorded);
  (void)training.trainer.run();
  EXPECT_FALSE(recorded.epochs[0].test_top1);
  EXPECT_TRUE(recorded.epochs[1].test_top1);
  EXPECT_TRUE(recorded.epochs[2].test_top1);
  EXPECT_FALSE(recorded.epochs[2].test_top5) << "three classes have no top 5";
}

TEST(Trainer, EvaluatesNeverWhenAsked) {
  SmallTraining training({.epochs = 2, .batch = 25, .evaluate_every = 0});
  Recorded recorded;
  training.trainer.add(recorded);
  (void)training.trainer.run();
  ASSERT_EQ(recorded.epochs.size(), 2U);
  EXPECT_FALSE(recorded.epochs[0].test_top1);
  EXPECT_FALSE(recorded.epochs[1].test_top1);
  EXPECT_TRUE(throws_with<UserError>(
      [] { SmallTraining waiting({.epochs = 2, .batch = 25, .evaluate_every = 0, .stop = {.patience = 1}}); },
      "eval-every 0"));
}

TEST(Trainer, StopsAtItsTarget) {
  SmallTraining training({.epochs = 30, .batch = 16, .stop = {.target_top1 = 0.0}});
  Recorded recorded;
  training.trainer.add(recorded);
  EXPECT_EQ(training.trainer.run().kind, EndKind::stopped_early);
  EXPECT_EQ(recorded.epochs.size(), 1U);
}

TEST(Trainer, IsTestedWhereTimeRunsOut) {
  SmallTraining training({.epochs = 3, .batch = 16, .stop = {.max_seconds = 1e-9}});
  const Outcome outcome = training.trainer.run();
  EXPECT_EQ(outcome.kind, EndKind::stopped_early);
  ASSERT_TRUE(outcome.test);
  EXPECT_EQ(outcome.test->metrics().samples, 10);
}

TEST(TrainerOptions, RefusesWhatMakesNoSense) {
  EXPECT_THROW(check_options({.batch = 51}, 50), UserError);
  EXPECT_THROW(check_options({.batch = 0}, 50), UserError);
  EXPECT_THROW(check_options({.epochs = 0, .batch = 1}, 50), UserError);
  EXPECT_THROW(check_options({.batch = 2, .accumulate = 3}, 50), UserError);
  EXPECT_THROW(check_options({.batch = 2, .clip_norm = -1}, 50), UserError);
  EXPECT_NO_THROW(check_options({.batch = 50}, 50));
}

}  // namespace
}  // namespace convoy
