#include "convoy/train/run_recorder.h"

#include <limits>

#include "convoy/base/cpu_times.h"
#include "convoy/base/error.h"
#include "convoy/base/temporary_folder_test.h"
#include "convoy/record/run_record.h"
#include "convoy/train/small_training_test.h"

namespace convoy {
namespace {

// Throws at the end of the first epoch.
struct FullDisk : Observer {
  void on_epoch(const Trainer& /*trainer*/, const EpochEvent& /*event*/) override {
    throw SystemError("no space left on the disk");
  }
};

class RunRecorderTest : public TemporaryFolder {
 protected:
  void SetUp() override {
    TemporaryFolder::SetUp();
    run_ = folder_ / "run";
  }

  [[nodiscard]] RunWriter writer() const {
    return RunWriter::create(run_, describe_run({"convoy"}, {{"model", "small"}}));
  }
  static std::vector<std::string> classes() { return {"a", "b", "c"}; }

  std::filesystem::path run_;
};

TEST_F(RunRecorderTest, ACompletedRun) {
  SmallTraining training({.epochs = 2, .batch = 16});
  RunWriter to = writer();
  RunRecorder recorder(to, classes());
  training.trainer.add(recorder);
  (void)training.trainer.run();
  const RunRecord record = read_run(run_);
  EXPECT_EQ(record.steps.size(), 8U);
  EXPECT_EQ(record.epochs.size(), 2U);
  EXPECT_EQ(record.summary, recorder.summary());
  EXPECT_EQ(record.summary.status, RunStatus::completed);
  EXPECT_EQ(record.summary.reason, "");
  EXPECT_NE(record.summary.finished, "");
  EXPECT_EQ(record.summary.steps, 8);
  EXPECT_EQ(record.summary.epochs, 2);
  EXPECT_EQ(record.summary.test_top1, record.epochs.back().test_top1);
  EXPECT_EQ(record.summary.classes, classes());
  EXPECT_EQ(record.summary.class_accuracy.size(), 3U);
  std::int64_t samples = 0;
  for (const auto& row : record.summary.confusion.value()) {
    for (const std::int64_t count : row) samples += count;
  }
  EXPECT_EQ(samples, training.source->size(data::Split::test));
}

TEST_F(RunRecorderTest, TellsTheProcessorTimeThatItGotAndOthersGot) {
  SmallTraining training({.epochs = 2, .batch = 16});
  RunWriter to = writer();
  RunRecorder recorder(to, classes());
  training.trainer.add(recorder);
  (void)training.trainer.run();
  const RunRecord record = read_run(run_);
  const bool is_told = read_cpu_times(allowed_cpu_ids()).has_value();
  for (const EpochRecord& epoch : record.epochs) {
    ASSERT_TRUE(epoch.cpu_seconds);
    EXPECT_GT(*epoch.cpu_seconds, 0);
    EXPECT_EQ(epoch.cores, count_cores(allowed_cpu_ids()));
    EXPECT_EQ(epoch.others_cpu_seconds.has_value(), is_told);
    EXPECT_EQ(epoch.steal_seconds.has_value(), is_told);
  }
  EXPECT_DOUBLE_EQ(record.summary.cpu_seconds.value(), *record.epochs[0].cpu_seconds + *record.epochs[1].cpu_seconds);
  EXPECT_EQ(record.summary.others_cpu_seconds.has_value(), is_told);
}

TEST_F(RunRecorderTest, SaysRunningUntilItEnds) {
  struct StatusAfterEpochs : Observer {
    void on_epoch(const Trainer& /*trainer*/, const EpochEvent& /*event*/) override {
      summaries.push_back(read_run(run).summary);
    }
    std::filesystem::path run;
    std::vector<RunSummary> summaries;
  };
  SmallTraining training({.epochs = 2, .batch = 16});
  RunWriter to = writer();
  RunRecorder recorder(to, classes());
  StatusAfterEpochs status;
  status.run = run_;
  training.trainer.add(recorder);
  training.trainer.add(status);
  (void)training.trainer.run();
  ASSERT_EQ(status.summaries.size(), 2U);
  EXPECT_EQ(status.summaries[0].status, RunStatus::running);
  EXPECT_EQ(status.summaries[0].epochs, 1);
  EXPECT_EQ(status.summaries[0].steps, 4);
  EXPECT_EQ(status.summaries[0].finished, "");
}

TEST_F(RunRecorderTest, AnInterruptedRun) {
  SmallTraining training({.epochs = 2, .batch = 16});
  RunWriter to = writer();
  RunRecorder recorder(to, classes());
  training.trainer.add(recorder);
  (void)training.trainer.run([&] { return training.trainer.state().step == 2; });
  const RunSummary summary = read_run(run_).summary;
  EXPECT_EQ(summary.status, RunStatus::interrupted);
  EXPECT_EQ(summary.reason, "interrupted");
  EXPECT_EQ(summary.steps, 2);
  EXPECT_EQ(summary.epochs, 0);
}

TEST_F(RunRecorderTest, ARunThatReachedItsTargetIsComplete) {
  SmallTraining training({.epochs = 9, .batch = 16, .stop = {.target_top1 = 0.0}});
  RunWriter to = writer();
  RunRecorder recorder(to, classes());
  training.trainer.add(recorder);
  (void)training.trainer.run();
  const RunSummary summary = read_run(run_).summary;
  EXPECT_EQ(summary.status, RunStatus::completed);
  EXPECT_EQ(summary.reason, "test accuracy reached 0.00 %");
  EXPECT_EQ(summary.epochs, 1);
}

TEST_F(RunRecorderTest, ADivergedRun) {
  SmallTraining training({.epochs = 2, .batch = 16});
  training.network.parameters().parameters()[0] = std::numeric_limits<float>::infinity();
  RunWriter to = writer();
  RunRecorder recorder(to, classes());
  training.trainer.add(recorder);
  EXPECT_THROW((void)training.trainer.run(), DivergedError);
  const RunSummary summary = read_run(run_).summary;
  EXPECT_EQ(summary.status, RunStatus::diverged);
  EXPECT_NE(summary.reason.find("step 1"), std::string::npos) << summary.reason;
}

TEST_F(RunRecorderTest, AFailedRun) {
  SmallTraining training({.epochs = 2, .batch = 16});
  RunWriter to = writer();
  RunRecorder recorder(to, classes());
  FullDisk disk;
  training.trainer.add(recorder);
  training.trainer.add(disk);
  EXPECT_THROW((void)training.trainer.run(), SystemError);
  const RunSummary summary = read_run(run_).summary;
  EXPECT_EQ(summary.status, RunStatus::failed);
  EXPECT_EQ(summary.reason, "no space left on the disk");
  EXPECT_EQ(summary.epochs, 1);
}

// A sitting without an evaluation keeps the results of an earlier one.
TEST_F(RunRecorderTest, ASittingWithoutAnEvaluationKeepsTheOneBefore) {
  SmallTraining training({.epochs = 1, .batch = 16});
  {
    RunWriter to = writer();
    RunRecorder recorder(to, classes());
    training.trainer.add(recorder);
    (void)training.trainer.run();
  }
  const RunSummary before = read_run(run_).summary;
  SmallTraining again({.epochs = 1, .batch = 16});
  again.trainer.set_state(training.trainer.state());
  RunWriter to = RunWriter::continue_from(run_, describe_run({"convoy"}, {{"model", "small"}}), 4);
  RunRecorder recorder(to, classes(), before);
  again.trainer.add(recorder);
  (void)again.trainer.run();
  const RunSummary after = read_run(run_).summary;
  EXPECT_EQ(after.status, RunStatus::completed);
  EXPECT_EQ(after.test_top1, before.test_top1);
  EXPECT_EQ(after.class_accuracy, before.class_accuracy);
  EXPECT_EQ(after.confusion, before.confusion);
}

TEST_F(RunRecorderTest, ButNotTheOneOfAnEpochThatWasGivenUp) {
  SmallTraining training({.epochs = 2, .batch = 16});
  {
    RunWriter to = writer();
    RunRecorder recorder(to, classes());
    training.trainer.add(recorder);
    (void)training.trainer.run();
  }
  const RunSummary before = read_run(run_).summary;
  RunWriter to = RunWriter::continue_from(run_, describe_run({"convoy"}, {{"model", "small"}}), 4);
  RunRecorder recorder(to, classes(), before);
  recorder.on_failure(SystemError("no space left on the disk"));
  const RunSummary after = read_run(run_).summary;
  EXPECT_EQ(after.epochs, 1);
  EXPECT_EQ(after.steps, 4);
  EXPECT_GT(after.total_seconds, 0);
  EXPECT_FALSE(after.confusion);
  EXPECT_TRUE(after.class_accuracy.empty());
}

}  // namespace
}  // namespace convoy
