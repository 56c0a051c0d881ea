#include "convoy/base/cgroup.h"

#include <gtest/gtest.h>

#include "convoy/base/fake_root_test.h"

namespace convoy {
namespace {

using Cgroup = FakeRoot;

TEST_F(Cgroup, NothingReadableIsUnlimited) {
  const CgroupLimits limits = read_cgroup_limits(root_);
  EXPECT_FALSE(limits.cpus);
  EXPECT_FALSE(limits.memory_bytes);
  EXPECT_FALSE(limits.memory_left_bytes);
}

TEST_F(Cgroup, VersionTwoTakesTheTightestOfTheGroupAndItsParents) {
  put("proc/self/cgroup", "0::/batch/job7\n");
  put("sys/fs/cgroup/batch/job7/cpu.max", "400000 100000\n");
  put("sys/fs/cgroup/batch/cpu.max", "250000 100000\n");
  put("sys/fs/cgroup/batch/job7/memory.max", "8000\n");
  put("sys/fs/cgroup/batch/job7/memory.current", "5000\n");
  put("sys/fs/cgroup/batch/job7/memory.stat", "anon 4000\nfile 1000\ninactive_file 700\n");
  put("sys/fs/cgroup/batch/memory.max", "9000\n");
  put("sys/fs/cgroup/batch/memory.current", "8500\n");
  const CgroupLimits limits = read_cgroup_limits(root_);
  EXPECT_EQ(limits.cpus, 2.5);
  EXPECT_EQ(limits.memory_bytes, 8000);
  EXPECT_EQ(limits.memory_left_bytes, 500) << "job7 has 3700 left, its parent only 500";
}

TEST_F(Cgroup, VersionTwoWithoutLimits) {
  put("proc/self/cgroup", "0::/\n");
  put("sys/fs/cgroup/cpu.max", "max 100000\n");
  put("sys/fs/cgroup/memory.max", "max\n");
  const CgroupLimits limits = read_cgroup_limits(root_);
  EXPECT_FALSE(limits.cpus);
  EXPECT_FALSE(limits.memory_bytes);
}

TEST_F(Cgroup, VersionOne) {
  put("proc/self/cgroup", "5:cpu,cpuacct:/slot\n4:memory:/slot\n1:name=systemd:/\n");
  put("sys/fs/cgroup/cpu/slot/cpu.cfs_quota_us", "150000\n");
  put("sys/fs/cgroup/cpu/slot/cpu.cfs_period_us", "100000\n");
  put("sys/fs/cgroup/memory/slot/memory.limit_in_bytes", "1000000\n");
  put("sys/fs/cgroup/memory/slot/memory.usage_in_bytes", "400000\n");
  put("sys/fs/cgroup/memory/slot/memory.stat", "cache 5\ninactive_file 1\ntotal_inactive_file 100000\n");
  const CgroupLimits limits = read_cgroup_limits(root_);
  EXPECT_EQ(limits.cpus, 1.5);
  EXPECT_EQ(limits.memory_bytes, 1000000);
  EXPECT_EQ(limits.memory_left_bytes, 700000);
}

TEST_F(Cgroup, VersionOneWithoutLimits) {
  put("proc/self/cgroup", "5:cpu:/\n4:memory:/\n");
  put("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  put("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  const CgroupLimits limits = read_cgroup_limits(root_);
  EXPECT_FALSE(limits.cpus);
  EXPECT_FALSE(limits.memory_bytes);
}

// A container finds its own group at the mount point, while the path in the file is the one that the host sees.
TEST_F(Cgroup, PathOutOfSightFallsBackToTheMount) {
  put("proc/self/cgroup", "4:memory:/docker/abc\n");
  put("sys/fs/cgroup/memory/memory.limit_in_bytes", "5000\n");
  put("sys/fs/cgroup/memory/memory.usage_in_bytes", "6000\n");
  const CgroupLimits limits = read_cgroup_limits(root_);
  EXPECT_EQ(limits.memory_bytes, 5000);
  EXPECT_EQ(limits.memory_left_bytes, 0) << "more used than allowed is nothing left, not a negative amount";
}

}  // namespace
}  // namespace convoy
