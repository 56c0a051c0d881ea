#include "convoy/train/step_report.h"

#include <gtest/gtest.h>

#include "convoy/comm/thread/thread_world.h"

namespace convoy {
namespace {

TEST(StepReport, AllRanksGetAllReports) {
  run_as_threads({.ranks = 3}, [](Transport& transport) {
    Communicator communicator(transport);
    StepReports reports(communicator);
    const auto all = reports.exchange({.rows = transport.rank() + 1, .loss = 0.5 * transport.rank()});
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[2].rows, 3);
    EXPECT_EQ(total_of(all).rows, 6);
    EXPECT_DOUBLE_EQ(total_of(all).loss, 1.5);
  });
}

TEST(StepReport, TotalsAreSumsMeansOrTheSlowest) {
  const std::vector<StepReport> reports = {
      {.rows = 2, .right = 1, .seconds = 3, .compute_seconds = 2, .interrupted = 0},
      {.rows = 1, .right = 1, .seconds = 4, .compute_seconds = 1, .interrupted = 1}};
  const StepReport total = total_of(reports);
  EXPECT_EQ(total.right, 2);
  EXPECT_DOUBLE_EQ(total.seconds, 4);
  EXPECT_DOUBLE_EQ(total.compute_seconds, 1.5);
  EXPECT_EQ(total.interrupted, 1);
}

TEST(StepReport, AFastRankWaitsForTheSlowestNoLongerThanItWaitedAtAll) {
  const std::vector<StepReport> reports = {{.exposed_seconds = 5, .until_reduced_seconds = 1},
                                           {.exposed_seconds = 0.5, .until_reduced_seconds = 3},
                                           {.exposed_seconds = 1, .until_reduced_seconds = 1}};
  EXPECT_DOUBLE_EQ(straggler_wait(reports[0], reports), 2);
  EXPECT_DOUBLE_EQ(straggler_wait(reports[1], reports), 0);
  EXPECT_DOUBLE_EQ(straggler_wait(reports[2], reports), 1);
}

}  // namespace
}  // namespace convoy
