#include "convoy/train/step_report.h"

#include <gtest/gtest.h>

#include "convoy/comm/thread/thread_world.h"

namespace convoy {
namespace {

TEST(StepReport, AllRanksGetAllReports) {
  run_as_threads({.ranks = 3}, [](Transport& transport) {
    Communicator communicator(transport);
    StepReports reports(communicator);
    const auto of_rank = [&](std::int64_t step) {
      return StepReport{.metrics = {.samples = transport.rank() + 1 + 10 * step, .loss_sum = 0.5 * transport.rank()}};
    };
    for (const std::vector<StepReport>& own : {std::vector{of_rank(0)}, {of_rank(0), of_rank(1), of_rank(2)}}) {
      reports.exchange(own);
      for (std::size_t step = 0; step < own.size(); ++step) {
        const auto all = reports.of_step(step);
        const auto more = static_cast<std::int64_t>(10 * step);
        ASSERT_EQ(all.size(), 3U);
        EXPECT_EQ(all[2].metrics.samples, 3 + more);
        EXPECT_EQ(total_of(all).samples, 6 + 3 * more);
        EXPECT_DOUBLE_EQ(total_of(all).loss_sum, 1.5);
      }
    }
  });
}

TEST(StepReport, AllRanksLearnWhoWaitedForStragglers) {
  run_as_threads({.ranks = 2}, [](Transport& transport) {
    Communicator communicator(transport);
    StepReports reports(communicator);
    const StepReport own{.metrics = {.times = {.exposed_communication_seconds = 2},
                                     .backward_seconds = transport.rank() == 0 ? 1.0 : 1.5}};
    reports.exchange({&own, 1});
    const auto all = reports.of_step(0);
    EXPECT_DOUBLE_EQ(all[0].metrics.times.straggler_wait_seconds, 0.5);
    EXPECT_DOUBLE_EQ(all[1].metrics.times.straggler_wait_seconds, 0);
    EXPECT_DOUBLE_EQ(total_of(all).times.straggler_wait_seconds, 0.25);
  });
}

TEST(StepReport, TotalsAreSumsMeansOrTheSlowest) {
  const std::vector<StepReport> reports = {
      {.metrics = {.samples = 2, .right = 1, .times = {.seconds = 3, .compute_seconds = 2}, .cpu_seconds = 5}},
      {.metrics = {.samples = 1, .right = 1, .times = {.seconds = 4, .compute_seconds = 1}, .cpu_seconds = 6},
       .interrupted = 1}};
  const StepMetrics total = total_of(reports);
  EXPECT_EQ(total.right, 2);
  EXPECT_DOUBLE_EQ(total.times.seconds, 4);
  EXPECT_DOUBLE_EQ(total_of(reports, WallTime::mean).times.seconds, 3.5);
  EXPECT_DOUBLE_EQ(total.times.compute_seconds, 1.5);
  EXPECT_DOUBLE_EQ(total.cpu_seconds, 11);
  EXPECT_TRUE(any_interrupted(reports));
  EXPECT_FALSE(any_interrupted(std::span(reports).first(1)));
}

TEST(StepReport, AFastRankWaitsForTheSlowestNoLongerThanItWaitedAtAll) {
  const auto rank = [](double exposed, double backward) {
    return StepMetrics{.times = {.exposed_communication_seconds = exposed}, .backward_seconds = backward};
  };
  EXPECT_DOUBLE_EQ(straggler_wait(rank(5, 1), 3), 2);
  EXPECT_DOUBLE_EQ(straggler_wait(rank(0.5, 3), 3), 0);
  EXPECT_DOUBLE_EQ(straggler_wait(rank(1, 1), 3), 1);
}

}  // namespace
}  // namespace convoy
