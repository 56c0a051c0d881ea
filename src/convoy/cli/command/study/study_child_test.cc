#include "convoy/cli/command/study/study_child.h"

#include <gmock/gmock.h>

#include <fstream>

#include "convoy/base/temporary_folder_test.h"
#include "convoy/record/run_record.h"
#include "convoy/record/run_writer.h"

namespace convoy::cli {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

class StudyChild : public TemporaryFolder {
 protected:
  [[nodiscard]] study::StudyFolder folder(study::StudyKind kind) const {
    return study::StudyFolder::create(folder_ / "study",
                                      {.kind = kind,
                                       .axes = {{"workers", {"2"}}},
                                       .settings = {{"epochs", "4"}, {"exact", "true"}, {"sync-bn", "false"}},
                                       .cores = 2,
                                       .command = {}});
  }
  static study::Task task_of(const study::StudyFolder& folder) { return {study::plan_runs(folder.spec()).front(), 3}; }
  // Leaves what a run leaves that was stopped after its first epoch.
  static void leave_run(const study::StudyFolder& folder, const study::Task& task, bool with_checkpoint) {
    const fs::path path = folder.run_folder(task.run.id);
    (void)RunWriter::create(path, describe_run({"convoy"}, {}));
    if (with_checkpoint) fs::create_directories(path / "checkpoints" / "step-00000004");
  }
};

TEST_F(StudyChild, GetsItsSettingsAsFlags) {
  const study::StudyFolder study = folder(study::StudyKind::scale);
  const study::Task task = task_of(study);
  EXPECT_THAT(child_command("convoy", study, task, TaskStart::fresh),
              ElementsAre("convoy", "train", "--epochs", "3", "--exact", "--seed", "1", "--workers", "2", "--run-dir",
                          study.run_folder(task.run.id).string(), "--quiet"));
  EXPECT_THAT(child_command("convoy", study, task, TaskStart::resumed),
              ElementsAre("convoy", "train", "--resume", study.run_folder(task.run.id).string(), "--workers", "2",
                          "--epochs", "3", "--quiet"));
}

TEST_F(StudyChild, GetsTheNetworkThatTheStudyKeeps) {
  const study::StudyFolder study = study::StudyFolder::create(
      folder_ / "own",
      {.kind = study::StudyKind::scale, .axes = {{"workers", {"1"}}}, .settings = {{"model", "mine"}}, .cores = 2});
  const study::Task task = task_of(study);
  EXPECT_THAT(child_command("convoy", study, task, TaskStart::fresh), testing::Contains("mine"));
  fs::create_directory(study.network_file("mine").parent_path());
  put(study.network_file("mine"), "text");
  EXPECT_THAT(child_command("convoy", study, task, TaskStart::fresh),
              testing::Contains(study.network_file("mine").string()));
}

TEST_F(StudyChild, LearningGoesOnFromItsCheckpoint) {
  const study::StudyFolder study = folder(study::StudyKind::sweep);
  const study::Task task = task_of(study);
  EXPECT_EQ(prepare_folder(study, task), TaskStart::fresh);
  leave_run(study, task, true);
  EXPECT_EQ(prepare_folder(study, task), TaskStart::resumed);
  EXPECT_TRUE(is_run_folder(study.run_folder(task.run.id)));
}

TEST_F(StudyChild, WithoutACheckpointItStartsAfresh) {
  const study::StudyFolder study = folder(study::StudyKind::sweep);
  const study::Task task = task_of(study);
  leave_run(study, task, false);
  EXPECT_EQ(prepare_folder(study, task), TaskStart::fresh);
  EXPECT_FALSE(fs::exists(study.run_folder(task.run.id)));
}

TEST_F(StudyChild, ThroughputIsMeasuredInOneGo) {
  const study::StudyFolder study = folder(study::StudyKind::scale);
  const study::Task task = task_of(study);
  leave_run(study, task, true);
  EXPECT_EQ(prepare_folder(study, task), TaskStart::fresh);
  EXPECT_FALSE(fs::exists(study.run_folder(task.run.id)));
}

// Uses a program that ends as the test wants.
TEST_F(StudyChild, FailuresAreToldInItsOwnWords) {
  const study::StudyFolder study = folder(study::StudyKind::scale);
  const study::Task task = task_of(study);
  const fs::path program = folder_ / "program";
  std::ofstream(program) << "#!/bin/sh\necho 'error: no such thing' >&2\necho later >&2\nexit 3\n";
  fs::permissions(program, fs::perms::owner_all);
  const study::RunOutcome failed = run_child_task(program.string(), study, task, [] { return 0; });
  EXPECT_EQ(failed.exit_code, 3);
  EXPECT_EQ(failed.message, "no such thing");
  EXPECT_EQ(failed.run, task.run);
  EXPECT_EQ(failed.epochs, 3);
  EXPECT_GT(failed.turnaround_seconds, 0);
  std::ofstream(program) << "#!/bin/sh\necho fine\n";
  EXPECT_EQ(run_child_task(program.string(), study, task, [] { return 0; }).message, "");
}

}  // namespace
}  // namespace convoy::cli
