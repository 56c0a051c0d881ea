#include "convoy/base/cpu_times.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <vector>

#include "convoy/base/fake_root_test.h"

namespace convoy {
namespace {

const double kTick = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));

class CpuTimesTest : public FakeRoot {
 protected:
  [[nodiscard]] std::optional<CpuTimes> read(const std::vector<int>& cpus) const { return read_cpu_times(cpus, root_); }
};

constexpr const char* kTwoCpus =
    "cpu  300 30 60 900 20 5 6 70 0 0\n"
    "cpu0 100 10 20 400 10 2 3 30 50 0\n"
    "cpu1 200 20 40 500 10 3 3 40 0 0\n"
    "intr 521983 0 0\nctxt 100\n";

TEST_F(CpuTimesTest, SumsTheCpusAskedFor) {
  put("proc/stat", kTwoCpus);
  EXPECT_EQ(read({0}), (CpuTimes{.busy = 130 * kTick, .steal = 30 * kTick})) << "guests are among user";
  const auto both = read({0, 1});
  ASSERT_TRUE(both);
  EXPECT_NEAR(both->busy, 390 * kTick, 1e-9);
  EXPECT_NEAR(both->steal, 70 * kTick, 1e-9);
}

TEST_F(CpuTimesTest, OfTheWholeMachine) {
  put("proc/stat", kTwoCpus);
  const auto all = read_machine_cpu_times(root_);
  ASSERT_TRUE(all);
  EXPECT_NEAR(all->busy, 390 * kTick, 1e-9);
  EXPECT_NEAR(all->steal, 70 * kTick, 1e-9);
  put("proc/stat", "cpu  0 0 0 0 0 0 0 0\ncpu0 0 0 0 0 0 0 0 0\n");
  EXPECT_FALSE(read_machine_cpu_times(root_)) << "a sandbox that only pretends";
}

TEST_F(CpuTimesTest, WorksWithoutStealAccounting) {
  put("proc/stat", "cpu  10 0 10 80\ncpu0 10 0 10 80\n");
  EXPECT_EQ(read({0}), (CpuTimes{.busy = 20 * kTick, .steal = 0}));
}

TEST_F(CpuTimesTest, WhatIsNotToldIsUnknown) {
  EXPECT_FALSE(read({0})) << "no file";
  put("proc/stat", kTwoCpus);
  EXPECT_FALSE(read({0, 2})) << "no such CPU";
  put("proc/stat", "cpu  0 0 0 0 0 0 0 0\ncpu0 0 0 0 0 0 0 0 0\n");
  EXPECT_FALSE(read({0})) << "a sandbox that only pretends";
  put("proc/stat", "rubbish\n\ncpuX 1 2 3\n");
  EXPECT_FALSE(read({0}));
}

TEST(CpuTimes, OfThisMachineGrow) {
  const std::vector<int> cpus = allowed_cpu_ids();
  EXPECT_FALSE(cpus.empty());
  const auto before = read_cpu_times(cpus);
  if (!before) GTEST_SKIP() << "this system tells no times of its CPUs";
  const auto after = read_cpu_times(cpus);
  ASSERT_TRUE(after);
  EXPECT_GE(after->busy, before->busy);
}

}  // namespace
}  // namespace convoy
