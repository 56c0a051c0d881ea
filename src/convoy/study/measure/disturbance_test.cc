#include "convoy/study/measure/disturbance.h"

#include <gtest/gtest.h>

namespace convoy::study {
namespace {

// The use of two cores over ten seconds.
MachineUse on_two_cores(double threads, double others, double steal = 0) {
  return {.seconds = 10,
          .cpu_seconds = 8,
          .others_seconds = others,
          .steal_seconds = steal,
          .cores = 2,
          .threads = threads};
}

TEST(Disturbance, AQuietMachineDisturbsNobody) {
  EXPECT_EQ(taken_share(on_two_cores(2, 0)), 0);
  EXPECT_EQ(disturbance_of(on_two_cores(2, 0.5)), "");
}

TEST(Disturbance, OthersTakeWhatTheRunNeeds) {
  EXPECT_NEAR(taken_share(on_two_cores(2, 5.04)), 0.25, 1e-9) << "less two ticks for each core";
  EXPECT_EQ(disturbance_of(on_two_cores(2, 5)), "others used 0.5 of 2 cores; the run has 2 threads and got 0.8");
}

TEST(Disturbance, CoresThatTheRunLeavesIdleAreOthersToUse) {
  EXPECT_EQ(disturbance_of(on_two_cores(1, 10)), "");
  EXPECT_NE(disturbance_of(on_two_cores(1, 18)), "");
}

TEST(Disturbance, StealIsTakenWhateverIsIdle) {
  EXPECT_EQ(disturbance_of(on_two_cores(1, 0, 2)),
            "others used 0 of 2 cores, 0.2 were stolen; the run has 1 thread and got 0.8");
}

TEST(Disturbance, MoreThreadsThanCoresNeedTheCores) { EXPECT_NEAR(taken_share(on_two_cores(8, 10.04)), 0.5, 1e-9); }

TEST(Disturbance, TicksOfAShortRunAreNoDisturbance) {
  MachineUse use = on_two_cores(2, 0.04);
  use.seconds = 0.2;
  EXPECT_EQ(disturbance_of(use), "");
}

TEST(Disturbance, IsUnknownWhereARecordDoesNotTell) {
  EpochRecord known;
  known.times.seconds = 5;
  known.cpu_seconds = 4;
  known.others_cpu_seconds = 1;
  known.steal_seconds = 0.5;
  known.cores = 2;
  const auto use = machine_use(std::vector{known, known}, 1);
  ASSERT_TRUE(use);
  EXPECT_EQ(use->seconds, 10);
  EXPECT_EQ(use->others_seconds, 2);
  EXPECT_EQ(use->steal_seconds, 1);
  EXPECT_EQ(use->cores, 2);
  EXPECT_FALSE(machine_use(std::vector{known, EpochRecord{}}, 1)) << "an earlier record";
  EXPECT_FALSE(machine_use({}, 1));
}

}  // namespace
}  // namespace convoy::study
