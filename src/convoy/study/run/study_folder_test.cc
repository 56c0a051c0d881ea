#include "convoy/study/run/study_folder.h"

#include <fstream>

#include "convoy/base/error.h"
#include "convoy/base/temporary_folder_test.h"
#include "convoy/base/throws_with_test.h"
#include "convoy/study/run/study_runner.h"

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
  std::ofstream(path() / "study.json") << "{";
  const auto open_it = [&] { (void)StudyFolder::open(path()); };
  EXPECT_TRUE(throws_with<DataError>(open_it, (path() / "study.json").string() + ":1: no JSON from here on"));
  EXPECT_TRUE(throws_with<DataError>(open_it, "put a copy of it back"));
}

TEST_F(StudyFolderTest, DamagedOutcomesAreLeftOutAndRunAgain) {
  const auto plan = plan_runs(three_runs());
  {
    StudyFolder folder = StudyFolder::create(path(), three_runs());
    for (const PlannedRun& run : plan) folder.add({.run = run, .epochs = 2});
  }
  const std::string whole = read(path() / "outcomes.jsonl");
  std::string damaged = whole;
  damaged.resize(damaged.size() - 20);                // the last line is cut short
  damaged.replace(damaged.find(plan[0].id), 1, "W");  // the id in the first is not one of the study's
  put(path() / "outcomes.jsonl", damaged);
  StudyFolder folder = StudyFolder::open(path());
  ASSERT_EQ(folder.outcomes().size(), 1U);
  EXPECT_EQ(folder.outcomes().front().run, plan[1]);
  ASSERT_EQ(folder.notes().size(), 2U);
  EXPECT_NE(folder.notes()[0].find("outcomes.jsonl:1: the line is damaged"), std::string::npos) << folder.notes()[0];
  EXPECT_NE(folder.notes()[1].find("outcomes.jsonl:3: the line is damaged"), std::string::npos) << folder.notes()[1];
  std::vector<std::string> done;
  const RunnerHooks hooks{.run =
                              [&](const Task& task) {
                                done.push_back(task.run.id);
                                return RunOutcome{.run = task.run, .epochs = task.epochs};
                              },
                          .interrupted = [] { return false; }};
  EXPECT_TRUE(run_study(folder, hooks));
  EXPECT_EQ(done, (std::vector{plan[0].id, plan[2].id}));
  EXPECT_EQ(StudyFolder::open(path()).outcomes().size(), 3U);
  EXPECT_TRUE(StudyFolder::open(path()).notes().empty());
}

// Flips one bit of the file: the rest is read, and what is not is named, but never with the parser's own message.
TEST_F(StudyFolderTest, AnyFlippedBitOfOutcomesLeavesAStudyThatGoesOn) {
  StudyFolder::create(path(), three_runs()).add({.run = plan_runs(three_runs()).front(), .epochs = 2});
  const std::string whole = read(path() / "outcomes.jsonl");
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string flipped = whole;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1U << (bit % 8)));
    put(path() / "outcomes.jsonl", flipped);
    const StudyFolder folder = StudyFolder::open(path());
    for (const std::string& note : folder.notes()) {
      EXPECT_NE(note.find("outcomes.jsonl:"), std::string::npos) << note;
      EXPECT_EQ(note.find("exception"), std::string::npos) << note;
    }
  }
}

TEST_F(StudyFolderTest, AStudyThatWasInterruptedGoesOnWhereItStopped) {
  std::vector<std::string> done;
  bool stop = false;
  const RunnerHooks hooks{
      .run =
          [&](const Task& task) {
            done.push_back(task.run.id);
            stop = done.size() == 2;
            return RunOutcome{
                .run = task.run, .epochs = task.epochs, .exit_code = stop ? 130 : 0, .turnaround_seconds = 3};
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

// A signal that comes just after a run has succeeded does not discard it, and a run is on disk before it is reported.
TEST_F(StudyFolderTest, ARunThatSucceededIsKeptAndThenReported) {
  bool stop = false;
  int told = 0;
  const auto run = [&](const Task& task) {
    stop = true;
    return RunOutcome{.run = task.run, .epochs = task.epochs};
  };
  StudyFolder folder = StudyFolder::create(path(), three_runs());
  const auto ended = [&](const RunOutcome& outcome) {
    ++told;
    EXPECT_NE(StudyFolder::open(path()).outcome_of(outcome.run.id), nullptr);
  };
  EXPECT_FALSE(run_study(folder, {.run = run, .interrupted = [&] { return stop; }, .ended = ended}));
  EXPECT_EQ(told, 1);
  EXPECT_EQ(StudyFolder::open(path()).outcomes().size(), 1U);
}

}  // namespace
}  // namespace convoy::study
