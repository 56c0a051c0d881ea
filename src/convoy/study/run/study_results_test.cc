#include "convoy/study/run/study_results.h"

#include <fmt/format.h>

#include "convoy/base/temporary_folder_test.h"
#include "convoy/record/run_writer.h"

namespace convoy::study {
namespace {

// Hosts with these kernels, each with two hardware threads.
RunInfo on_kernels(const std::vector<std::string>& kernels, std::int64_t ranks, int threads) {
  RunInfo info = describe_run({"convoy"}, {{"threads", threads}});
  info.ranks = ranks;
  info.hosts.clear();
  for (const std::string& kernel : kernels) {
    const std::string name = fmt::format("n{}", info.hosts.size() + 1);
    info.hosts.push_back({.name = name, .usable_cores = 1, .boot_id = kernel, .hardware_threads = 2});
  }
  return info;
}

TEST(StudyResults, HostsOnOneKernelAreOneMachine) {
  EXPECT_EQ(shared_hardware_threads(on_kernels({"a", "a"}, 2, 1)), 2);
  EXPECT_EQ(shared_hardware_threads(on_kernels({"a", "a", "b"}, 2, 1)), 4);
  EXPECT_EQ(shared_hardware_threads(on_kernels({"a", "b"}, 2, 1)), std::nullopt);
  EXPECT_EQ(shared_hardware_threads(on_kernels({"a"}, 4, 1)), std::nullopt) << "the plan knew of it";
  EXPECT_EQ(shared_hardware_threads(on_kernels({"", ""}, 4, 1)), std::nullopt) << "not known";
  EXPECT_EQ(shared_hardware_threads(on_kernels({}, 4, 1)), std::nullopt);
}

class ReadResults : public TemporaryFolder {
 protected:
  static StudySpec spec() {
    return {.kind = StudyKind::scale,
            .axes = {{"workers", {"10", "2"}}},
            .settings = {{"epochs", "2"}},
            .repeats = 1,
            .cores = 16,
            .command = {"convoy"}};
  }
};

TEST_F(ReadResults, SayTheBatchThatWasLeftToTheDefault) {
  StudyFolder folder = StudyFolder::create(folder_ / "study", spec());
  for (const PlannedRun& run : plan_runs(spec())) {
    (void)RunWriter::create(folder.run_folder(run.id), describe_run({"convoy"}, {{"batch", 128}}));
    folder.add({.run = run, .epochs = 2});
  }
  EXPECT_EQ(read_results(StudyFolder::open(folder_ / "study")).spec.settings.at("batch"), "128");
}

TEST_F(ReadResults, KeepsWhatFailedAndSortsNumbersAsNumbers) {
  StudyFolder folder = StudyFolder::create(folder_ / "study", spec());
  for (const PlannedRun& run : plan_runs(spec())) {
    RunOutcome outcome{.run = run, .epochs = 2};
    if (run.point.at("workers") == "10") {
      outcome.exit_code = 5;
      outcome.message = "rank 3 was lost";
    } else {
      RunWriter writer = RunWriter::create(folder.run_folder(run.id), on_kernels({"a", "a"}, 4, 1));
      for (int epoch = 1; epoch <= 2; ++epoch) {
        writer.add(EpochRecord{
            .epoch = epoch, .end_step = epoch, .steps = 1, .samples = 100, .times = {.seconds = 1.0 / epoch}});
      }
    }
    folder.add(outcome);
  }
  const StudyResults results = read_results(StudyFolder::open(folder_ / "study"));
  EXPECT_EQ(results.planned_runs, 2U);
  EXPECT_EQ(results.ended_runs, 2U);
  EXPECT_EQ(results.failed_runs, 1U);
  ASSERT_EQ(results.points.size(), 2U);
  EXPECT_EQ(results.points[0].point.at("workers"), "2");
  ASSERT_TRUE(results.points[0].runs.at(0).counts());
  EXPECT_DOUBLE_EQ(*results.points[0].runs[0].measures->throughput, 200) << "the first epoch is skipped";
  EXPECT_TRUE(results.points[0].oversubscribed) << "both hosts are one";
  EXPECT_EQ(results.spec.cores, 2) << "and not 16";
  EXPECT_EQ(results.points[1].runs.at(0).trouble, "rank 3 was lost");
  EXPECT_FALSE(results.points[1].oversubscribed);
}

TEST_F(ReadResults, ARunWithoutARecordDoesNotCount) {
  StudyFolder folder = StudyFolder::create(folder_ / "study", spec());
  folder.add({.run = plan_runs(spec()).front(), .epochs = 2});
  const StudyResults results = read_results(folder);
  EXPECT_EQ(results.failed_runs, 1U);
  EXPECT_EQ(results.points.at(0).runs.at(0).trouble, "it left no record");
  EXPECT_EQ(results.ended_runs, 1U);
  EXPECT_EQ(results.planned_runs, 2U);
}

}  // namespace
}  // namespace convoy::study
