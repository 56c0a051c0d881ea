#include "convoy/train/snapshot.h"

#include "convoy/base/error.h"
#include "convoy/base/temporary_folder_test.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/checkpoint/checkpoint_store.h"
#include "convoy/train/small_training_test.h"

namespace convoy {
namespace {

ModelCard small_card() {
  return {.model = "small",
          .input = {1, 8, 8},
          .classes = {"a", "b", "c"},
          .statistics = {.mean = {0.5F}, .deviation = {0.25F}}};
}

// Trains until so many steps are done.
void train_to(SmallTraining& training, std::int64_t step) {
  (void)training.trainer.run([&] { return training.trainer.state().step >= step; });
}

TEST(Snapshot, SaysWhereTrainingIs) {
  SmallTraining training({.epochs = 3, .batch = 16});
  train_to(training, 6);
  const Checkpoint checkpoint = take_snapshot(training.trainer, small_card(), "waves");
  EXPECT_EQ(checkpoint.model, "small");
  EXPECT_EQ(checkpoint.data, "waves");
  EXPECT_EQ(checkpoint.epoch, 1) << "epochs done, of four steps";
  EXPECT_EQ(checkpoint.step, 6);
  EXPECT_EQ(checkpoint.optimizer_steps, 6);
  EXPECT_EQ(checkpoint.best_metric, training.trainer.state().best.top1);
  EXPECT_EQ(checkpoint.weights_metadata.at("model"), "small");
}

TEST(Snapshot, HasNoBestBeforeTheFirstEvaluation) {
  SmallTraining training({.epochs = 3, .batch = 16});
  train_to(training, 2);
  EXPECT_FALSE(take_snapshot(training.trainer, small_card(), "waves").best_metric);
}

class SnapshotFiles : public TemporaryFolder {};

TEST_F(SnapshotFiles, TrainingGoesOnFromThemToTheBit) {
  const TrainerOptions options{.epochs = 3, .batch = 16, .seed = 3, .augment = {.crop_padding = 1, .flip = true}};
  SmallTraining whole(options);
  (void)whole.trainer.run();
  for (const std::int64_t stop_after : {1, 4, 7}) {
    CheckpointStore store(folder_ / std::to_string(stop_after));
    SmallTraining first(options);
    train_to(first, stop_after);
    store.save(take_snapshot(first.trainer, small_card(), "waves"), {});
    SmallTraining second(options);
    restore(store.latest(), small_card(), second.trainer);
    EXPECT_EQ(second.trainer.state().step, stop_after);
    (void)second.trainer.run();
    EXPECT_EQ(second.weights(), whole.weights()) << "stopped after " << stop_after;
    EXPECT_EQ(second.trainer.state().best.top1, whole.trainer.state().best.top1);
  }
}

TEST(Snapshot, OfAnotherModelIsRefused) {
  SmallTraining training({.batch = 16});
  const Checkpoint checkpoint = take_snapshot(training.trainer, small_card(), "waves");
  ModelCard other = small_card();
  other.model = "lenet";
  EXPECT_TRUE(throws_with<UserError>([&] { restore(checkpoint, other, training.trainer); }, "of small, not of lenet"));
}

TEST(Snapshot, OfAnotherHeadOrOptimizerIsRefused) {
  SmallTraining training({.batch = 16});
  SmallTraining without_norm({.batch = 16}, small_graph(false));
  Checkpoint checkpoint = take_snapshot(without_norm.trainer, small_card(), "waves");
  EXPECT_TRUE(
      throws_with<DataError>([&] { restore(checkpoint, small_card(), training.trainer); }, "batch_norm1.weight"));
  checkpoint = take_snapshot(training.trainer, small_card(), "waves");
  for (NamedTensor& tensor : checkpoint.optimizer) tensor.name.replace(0, 8, "first_moment");
  EXPECT_TRUE(
      throws_with<DataError>([&] { restore(checkpoint, small_card(), training.trainer); }, "velocity/conv1.weight"));
}

}  // namespace
}  // namespace convoy
