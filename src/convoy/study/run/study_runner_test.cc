#include "convoy/study/run/study_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/base/temporary_folder_test.h"
#include "convoy/record/run_writer.h"
#include "convoy/study/run/study_results.h"

namespace convoy::study {
namespace {

class StudyRunner : public TemporaryFolder {
 protected:
  static StudySpec spec() {
    return {.kind = StudyKind::scale,
            .axes = {{"workers", {"1", "2"}}},
            .settings = {{"epochs", "2"}},
            .cores = 2,
            .command = {"convoy"}};
  }

  [[nodiscard]] StudyFolder folder() const { return StudyFolder::create(folder_ / "study", spec()); }

  // A run of two seconds on two cores during which others used that many CPU seconds.
  static RunOutcome run(const StudyFolder& folder, const Task& task, double others_seconds) {
    RunInfo info;
    info.configuration = {{"threads", 2}};
    RunWriter writer = RunWriter::create(folder.run_folder(task.run.id), info);
    for (int epoch = 1; epoch <= 2; ++epoch) {
      EpochRecord record{.epoch = epoch, .end_step = epoch, .steps = 1, .samples = 100, .times = {.seconds = 1}};
      record.cpu_seconds = 1;
      record.others_cpu_seconds = others_seconds / 2;
      record.steal_seconds = 0;
      record.cores = 2;
      writer.add(record);
    }
    return {.run = task.run, .epochs = task.epochs, .turnaround_seconds = 2};
  }
};

TEST_F(StudyRunner, MakesDisturbedRunsAgainAndKeepsThem) {
  StudyFolder study = folder();
  std::vector<std::string> done;
  const auto busy_at_first = [&](const Task& task) {
    done.push_back(task.run.id);
    return run(study, task, task.run.point.at("workers") == "1" && task.run.attempt == 1 ? 3 : 0);
  };
  const RunnerHooks hooks{.run = busy_at_first, .interrupted = [] { return false; }, .repeat_disturbed = true};
  EXPECT_TRUE(run_study(study, hooks));
  EXPECT_EQ(done.size(), 3U);
  EXPECT_EQ(done.back(), "workers-1.run-1.attempt-2");

  const StudyResults results = read_results(StudyFolder::open(study.path()));
  EXPECT_EQ(results.planned_runs, 2U);
  EXPECT_EQ(results.ended_runs, 2U) << "what was repeated is one run of the plan";
  EXPECT_EQ(results.disturbed_runs, 1U);
  ASSERT_EQ(results.points[0].runs.size(), 2U);
  EXPECT_TRUE(results.points[0].runs[0].is_disturbed());
  EXPECT_FALSE(results.points[0].runs[1].is_disturbed());
  EXPECT_EQ(results.points[0].runs[1].outcome.run.attempt, 2);
  EXPECT_EQ(progress_of(study).ended, 2U);
}

TEST_F(StudyRunner, GivesUpOnAMachineThatStaysBusy) {
  StudyFolder study = folder();
  int runs = 0;
  const auto always_busy = [&](const Task& task) {
    ++runs;
    return run(study, task, 3);
  };
  const RunnerHooks hooks{.run = always_busy, .interrupted = [] { return false; }, .repeat_disturbed = true};
  EXPECT_TRUE(run_study(study, hooks));
  EXPECT_EQ(runs, 2 * kMostAttempts);
  EXPECT_TRUE(disturbed_tasks(study).empty());
}

TEST_F(StudyRunner, LeavesThemAloneUnlessAsked) {
  StudyFolder study = folder();
  int runs = 0;
  const auto always_busy = [&](const Task& task) {
    ++runs;
    return run(study, task, 3);
  };
  EXPECT_TRUE(run_study(study, {.run = always_busy, .interrupted = [] { return false; }}));
  EXPECT_EQ(runs, 2);
  std::vector<std::string> ids;
  for (const Task& task : disturbed_tasks(study)) ids.push_back(task.run.id);
  EXPECT_THAT(ids, testing::UnorderedElementsAre("workers-1.run-1.attempt-2", "workers-2.run-1.attempt-2"));
}

}  // namespace
}  // namespace convoy::study
