#include "convoy/study/study_folder.h"

#include <fstream>

#include "convoy/base/error.h"
#include "convoy/base/temporary_folder_test.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/study/study_runner.h"

namespace convoy::study {
namespace {

StudySpec three_runs() {
  return {.kind = StudyKind::scale,
          .axes = {{"workers", {"1", "2", "4"}}},
          .settings = {{"epochs", "2"}},
          .cores = 4,
          .command = {"convoy"}};
}

class StudyFolderTest : public TemporaryFolder {
 protected:
  [[nodiscard]] std::filesystem::path path() const { return folder_ / "study"; }
};

TEST_F(StudyFolderTest, RemembersWhatBecameOfRuns) {
  RunOutcome failed{.run = plan_runs(three_runs()).front(),
                    .epochs = 2,
                    .exit_code = 4,
                    .turnaround_seconds = 1.5,
                    .message = "loss is not a number",
                    .finished = "2026-11-16T04:02:11Z"};
  failed.run.oversubscribed = true;
  {
    StudyFolder folder = StudyFolder::create(path(), three_runs());
    folder.add(failed);
  }
  StudyFolder again = StudyFolder::open(path());
  ASSERT_EQ(again.outcomes().size(), 1U);
  EXPECT_EQ(again.outcomes().front(), failed);
  EXPECT_EQ(*again.outcome_of(failed.run.id), failed);
  EXPECT_EQ(again.outcome_of("other"), nullptr);
  again.forget_failed();
  EXPECT_TRUE(StudyFolder::open(path()).outcomes().empty());
}

TEST_F(StudyFolderTest, ARunWhoseRecordWasDeletedIsToBeRunAgain) {
  const std::vector<PlannedRun> plan = plan_runs(three_runs());
  StudyFolder folder = StudyFolder::create(path(), three_runs());
  for (const PlannedRun& run : plan) folder.add({.run = run, .epochs = 2, .exit_code = run == plan[1] ? 4 : 0});
  std::filesystem::create_directories(folder.run_folder(plan[0].id));
  std::ofstream(folder.run_folder(plan[0].id) / "run.json") << "{}";
  EXPECT_EQ(folder.forget_gone(), (std::vector<std::string>{plan[2].id}));
  const StudyFolder again = StudyFolder::open(path());
  EXPECT_NE(again.outcome_of(plan[0].id), nullptr) << "it has a record";
  EXPECT_NE(again.outcome_of(plan[1].id), nullptr) << "it failed, and may never have had one";
  EXPECT_EQ(again.outcome_of(plan[2].id), nullptr);
  EXPECT_TRUE(folder.forget_gone().empty());
}

TEST_F(StudyFolderTest, TheNewestOutcomeOfARunCounts) {
  StudyFolder folder = StudyFolder::create(path(), three_runs());
  const PlannedRun run = plan_runs(three_runs()).front();
  folder.add({.run = run, .epochs = 1});
  folder.add({.run = run, .epochs = 2});
  ASSERT_EQ(StudyFolder::open(path()).outcomes().size(), 1U);
  EXPECT_EQ(StudyFolder::open(path()).outcomes().front().epochs, 2);
}

TEST_F(StudyFolderTest, TheSameStudyGoesOnAndAnotherIsRefused) {
  StudyFolder::create(path(), three_runs()).add({.run = plan_runs(three_runs()).front(), .epochs = 2});
  StudySpec same = three_runs();
  same.command = {"convoy", "again"};
  EXPECT_EQ(StudyFolder::create(path(), same).outcomes().size(), 1U);
  StudySpec other = three_runs();
  other.repeats = 2;
  EXPECT_TRUE(throws_with<UserError>([&] { (void)StudyFolder::create(path(), other); }, "holds another study"));
}

TEST_F(StudyFolderTest, SaysWhatCannotBeRead) {
  EXPECT_TRUE(throws_with<DataError>([&] { (void)StudyFolder::open(path()); }, "holds no study"));
  (void)StudyFolder::create(path(), three_runs());
  std::ofstream(path() / "outcomes.jsonl") << "{\"id\":\"a\"}\n";
  EXPECT_TRUE(throws_with<DataError>([&] { (void)StudyFolder::open(path()); }, "outcomes.jsonl:1"));
  std::ofstream(path() / "study.json") << "{";
  EXPECT_TRUE(throws_with<DataError>([&] { (void)StudyFolder::open(path()); }, "study.json"));
}

TEST_F(StudyFolderTest, AStudyThatWasInterruptedGoesOnWhereItStopped) {
  std::vector<std::string> done;
  bool stop = false;
  const RunnerHooks hooks{.run =
                              [&](const Task& task) {
                                done.push_back(task.run.id);
                                stop = done.size() == 2;
                                return RunOutcome{.run = task.run, .epochs = task.epochs, .turnaround_seconds = 3};
                              },
                          .interrupted = [&] { return stop; }};
  {
    StudyFolder folder = StudyFolder::create(path(), three_runs());
    EXPECT_FALSE(run_study(folder, hooks));
    EXPECT_EQ(progress_of(folder).ended, 1U) << "what was under way does not count";
    EXPECT_EQ(progress_of(folder).total, 3U);
    EXPECT_EQ(progress_of(folder).seconds_of_a_run, 3);
  }
  stop = false;
  StudyFolder folder = StudyFolder::open(path());
  EXPECT_TRUE(run_study(folder, hooks));
  const auto plan = plan_runs(three_runs());
  EXPECT_EQ(done, (std::vector<std::string>{plan[0].id, plan[1].id, plan[1].id, plan[2].id}));
}

}  // namespace
}  // namespace convoy::study
