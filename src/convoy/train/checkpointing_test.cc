#include "convoy/train/checkpointing.h"

#include <limits>
#include <memory>

#include "convoy/base/error.h"
#include "convoy/base/temporary_folder_test.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/train/small_training_test.h"

namespace convoy {
namespace {

// Notes, after each step and epoch, which checkpoint is the newest. Must be added after Checkpointing.
struct NewestCheckpoint : Observer {
  explicit NewestCheckpoint(const CheckpointStore& observed) : store(observed) {}
  void on_step(const Trainer& /*trainer*/, const StepEvent& /*event*/) override { after_steps.push_back(newest()); }
  void on_epoch(const Trainer& /*trainer*/, const EpochEvent& /*event*/) override { after_epochs.push_back(newest()); }

  [[nodiscard]] std::string newest() const {
    const auto folders = store.folders_newest_first();
    return folders.empty() ? "" : folders.front().filename().string().substr(std::string("step-0000000").size());
  }

  const CheckpointStore& store;
  std::vector<std::string> after_steps;
  std::vector<std::string> after_epochs;
};

// Makes a weight NaN after the step, so that the loss shows it only in the next one.
struct Spoiler : Observer {
  Spoiler(SmallTraining& of_training, std::int64_t at_step) : training(of_training), step(at_step) {}
  void on_step(const Trainer& /*trainer*/, const StepEvent& event) override {
    if (event.record.step != step) return;
    training.network.parameters().parameters()[0] = std::numeric_limits<float>::quiet_NaN();
  }

  SmallTraining& training;
  std::int64_t step;
};

// Epochs of four steps.
class CheckpointingTest : public TemporaryFolder {
 protected:
  void SetUp() override {
    TemporaryFolder::SetUp();
    store_ = std::make_unique<CheckpointStore>(folder_ / "checkpoints");
  }

  [[nodiscard]] Checkpointing observer(const CheckpointPlan& plan) const {
    return {store_.get(), card_, "waves", plan};
  }

  ModelCard card_{.model = "small",
                  .input = {1, 8, 8},
                  .classes = {"a", "b", "c"},
                  .statistics = {.mean = {0.5F}, .deviation = {0.25F}}};
  std::unique_ptr<CheckpointStore> store_;
};

TEST_F(CheckpointingTest, SavesEverySoManyStepsAndAfterEachEpoch) {
  SmallTraining training({.epochs = 2, .batch = 16});
  auto checkpointing = observer({.every_steps = 3});
  NewestCheckpoint newest(*store_);
  training.trainer.add(checkpointing);
  training.trainer.add(newest);
  (void)training.trainer.run();
  EXPECT_EQ(newest.after_steps, (std::vector<std::string>{"", "", "03", "03", "04", "06", "06", "06"}));
  EXPECT_EQ(newest.after_epochs, (std::vector<std::string>{"04", "08"}));
}

TEST_F(CheckpointingTest, TheEndOfAnEpochIsSavedOnceWithItsEvaluation) {
  SmallTraining training({.epochs = 1, .batch = 16});
  auto checkpointing = observer({.every_steps = 4, .every_seconds = 1e-9});
  NewestCheckpoint newest(*store_);
  training.trainer.add(checkpointing);
  training.trainer.add(newest);
  (void)training.trainer.run();
  EXPECT_EQ(newest.after_steps.back(), "03") << "not before it was evaluated";
  EXPECT_EQ(newest.after_epochs.back(), "04");
  EXPECT_EQ(store_->latest().training["best"]["epoch"], 1);
  EXPECT_EQ(store_->load_best().step, 4);
}

TEST_F(CheckpointingTest, SavesBySeconds) {
  SmallTraining often({.epochs = 1, .batch = 16});
  auto checkpointing = observer({.every_seconds = 0});
  NewestCheckpoint newest(*store_);
  often.trainer.add(checkpointing);
  often.trainer.add(newest);
  (void)often.trainer.run();
  EXPECT_EQ(newest.after_steps, (std::vector<std::string>{"01", "02", "03", "03"}));
}

TEST_F(CheckpointingTest, SavesWhereItWasInterrupted) {
  SmallTraining training({.epochs = 2, .batch = 16});
  auto checkpointing = observer({});
  training.trainer.add(checkpointing);
  (void)training.trainer.run([&] { return training.trainer.state().step == 2; });
  EXPECT_EQ(store_->latest().step, 2);
  EXPECT_FALSE(store_->has_best());
}

TEST_F(CheckpointingTest, KeepsAsManyAsAsked) {
  SmallTraining training({.epochs = 5, .batch = 16});
  auto checkpointing = observer({.keep = 3});
  training.trainer.add(checkpointing);
  (void)training.trainer.run();
  EXPECT_EQ(store_->folders_newest_first().size(), 3U);
}

TEST_F(CheckpointingTest, KeepsNoneWhenAsked) {
  SmallTraining training({.epochs = 2, .batch = 16});
  auto checkpointing = observer({.every_steps = 1, .keep = 0});
  training.trainer.add(checkpointing);
  (void)training.trainer.run();
  EXPECT_TRUE(store_->empty());
  EXPECT_FALSE(store_->has_best());
}

TEST_F(CheckpointingTest, WeightsThatAreNoNumbersAreNotSaved) {
  SmallTraining training({.epochs = 2, .batch = 16});
  Spoiler spoiler(training, 3);
  auto checkpointing = observer({.every_steps = 1});
  training.trainer.add(spoiler);
  training.trainer.add(checkpointing);
  EXPECT_TRUE(throws_with<DivergedError>([&] { (void)training.trainer.run(); }, "at step 3"));
  EXPECT_EQ(store_->latest().step, 2) << "the one before stays";
}

TEST_F(CheckpointingTest, NorStatisticsThatAreNone) {
  SmallTraining training({.epochs = 2, .batch = 16});
  auto checkpointing = observer({});
  training.network.parameters().statistics()[0] = std::numeric_limits<float>::infinity();
  training.trainer.add(checkpointing);
  EXPECT_THROW((void)training.trainer.run([&] { return training.trainer.state().step == 1; }), DivergedError);
  EXPECT_TRUE(store_->empty());
}

}  // namespace
}  // namespace convoy
