#include "convoy/train/weight_average.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "convoy/base/error.h"
#include "convoy/train/small_training_test.h"
#include "convoy/train/snapshot.h"

namespace convoy {
namespace {

std::vector<float> averaged(SmallTraining& training) {
  training.trainer.average()->swap();
  std::vector<float> values = training.weights();
  training.trainer.average()->swap();
  return values;
}

struct WeightsOfSteps : Observer {
  explicit WeightsOfSteps(const SmallTraining& of) : training(of) {}
  void on_step(const Trainer& /*trainer*/, const StepEvent& /*event*/) override {
    weights.push_back(training.weights());
  }
  void on_epoch(const Trainer& /*trainer*/, const EpochEvent& event) override { epochs.push_back(event.record); }

  const SmallTraining& training;
  std::vector<std::vector<float>> weights;
  std::vector<EpochRecord> epochs;
};

const TrainerOptions kAveraging{.epochs = 3, .batch = 16, .seed = 3, .average_decay = 0.6};

TEST(WeightAverage, IsTheMovingAverageOfTheStepsWeights) {
  SmallTraining training(kAveraging);
  std::vector<float> expected = training.weights();
  WeightsOfSteps seen(training);
  training.trainer.add(seen);
  (void)training.trainer.run();
  for (std::size_t step = 1; step <= seen.weights.size(); ++step) {
    const double decay = std::min(0.6, (1.0 + static_cast<double>(step)) / (10.0 + static_cast<double>(step)));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      expected[i] = static_cast<float>(decay * expected[i] + (1 - decay) * seen.weights[step - 1][i]);
    }
  }
  const std::vector<float> average = averaged(training);
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(average[i], expected[i], 1e-5) << i;
  EXPECT_NE(average, training.weights());
  ASSERT_EQ(seen.epochs.size(), 3U);
  EXPECT_TRUE(seen.epochs[0].average_test_top1.has_value());
  EXPECT_NE(seen.epochs[0].average_test_loss, seen.epochs[0].test_loss);
}

TEST(WeightAverage, DoesNotTouchTraining) {
  SmallTraining with(kAveraging);
  TrainerOptions plain = kAveraging;
  plain.average_decay = 0;
  SmallTraining without(plain);
  (void)with.trainer.run();
  (void)without.trainer.run();
  EXPECT_EQ(with.weights(), without.weights());
  EXPECT_EQ(without.trainer.average(), nullptr);
}

TEST(WeightAverage, GoesOnFromACheckpointToTheBit) {
  const ModelCard card{.model = "small",
                       .input = {1, 8, 8},
                       .classes = {"a", "b", "c"},
                       .statistics = {.mean = {0.5F}, .deviation = {0.25F}}};
  SmallTraining whole(kAveraging);
  (void)whole.trainer.run();
  SmallTraining first(kAveraging);
  (void)first.trainer.run([&] { return first.trainer.state().step >= 5; });
  SmallTraining second(kAveraging);
  restore(take_snapshot(first.trainer, card, "waves"), card, second.trainer);
  (void)second.trainer.run();
  EXPECT_EQ(second.weights(), whole.weights());
  EXPECT_EQ(averaged(second), averaged(whole));
}

TEST(WeightAverage, RefusesADecayThatIsNone) {
  TrainerOptions options = kAveraging;
  options.average_decay = 1;
  EXPECT_THROW(SmallTraining training(options), UserError);
}

}  // namespace
}  // namespace convoy
