#include "convoy/train/machine_load.h"

#include <gtest/gtest.h>

#include "convoy/base/cpu_times.h"
#include "convoy/comm/thread/thread_world.h"

namespace convoy {
namespace {

TEST(MachineLoad, RanksOfOneMachineCountItsCoresOnce) {
  const int cores = count_cores(allowed_cpu_ids());
  run_as_threads({.ranks = 3}, [&](Transport& transport) {
    Communicator communicator(transport);
    MachineLoad load(communicator);
    EXPECT_EQ(load.cores(), cores);
  });
}

TEST(MachineLoad, IsTheSameOnAllRanksAndNeverNegative) {
  if (!read_cpu_times(allowed_cpu_ids())) GTEST_SKIP() << "this system tells no times of its CPUs";
  run_as_threads({.ranks = 2}, [](Transport& transport) {
    Communicator communicator(transport);
    MachineLoad load(communicator);
    load.begin();
    const auto seen = load.end();
    ASSERT_TRUE(seen);
    EXPECT_GE(seen->others_seconds, 0);
    EXPECT_GE(seen->steal_seconds, 0);
    EXPECT_EQ(communicator.max(seen->others_seconds), communicator.min(seen->others_seconds));
  });
}

TEST(MachineLoad, BeforeItsBeginNothingIsKnown) {
  run_as_threads({.ranks = 2}, [](Transport& transport) {
    Communicator communicator(transport);
    EXPECT_FALSE(MachineLoad(communicator).end());
  });
}

}  // namespace
}  // namespace convoy
