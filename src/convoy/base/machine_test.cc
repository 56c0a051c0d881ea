#include "convoy/base/machine.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <cstring>
#include <memory>
#include <thread>

#include "convoy/base/fake_root_test.h"

namespace convoy {
namespace {

class MachineOf : public FakeRoot {
 protected:
  // CPU i is a hardware thread of core i / threads.
  void put_cores(int threads) const {
    for (int cpu = 0; cpu < 1024; ++cpu) {
      put("sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list",
          "core" + std::to_string(cpu / threads));
    }
  }
};

TEST_F(MachineOf, ReadsProcessorMemoryAndLoad) {
  put("proc/cpuinfo",
      "processor\t: 0\nmodel name\t: Some CPU @ 2.0: fast\nflags\t\t: fpu avx2 avx512f\n\nmodel name\t: B\n");
  put("proc/meminfo", "MemTotal:       16000 kB\nMemFree:  1 kB\nMemAvailable:    9000 kB\n");
  put("proc/loadavg", "1.25 0.5 0.1 2/300 1\n");
  const Machine machine = read_machine(root_);
  EXPECT_EQ(machine.cpu_model, "Some CPU @ 2.0: fast");
  EXPECT_EQ(machine.cpu_flags, (std::set<std::string>{"fpu", "avx2", "avx512f"}));
  EXPECT_EQ(machine.memory_bytes, 16000 * 1024);
  EXPECT_EQ(machine.available_memory_bytes, 9000 * 1024);
  EXPECT_DOUBLE_EQ(machine.load_average, 1.25);
}

TEST_F(MachineOf, ContainerLimitsCount) {
  put("proc/meminfo", "MemTotal: 16000 kB\nMemAvailable: 9000 kB\n");
  put("proc/self/cgroup", "0::/\n");
  put("sys/fs/cgroup/memory.max", "4096000\n");
  put("sys/fs/cgroup/memory.current", "1024000\n");
  put("sys/fs/cgroup/cpu.max", "50000 100000\n");
  const Machine machine = read_machine(root_);
  EXPECT_EQ(machine.memory_bytes, 4096000);
  EXPECT_EQ(machine.available_memory_bytes, 3072000);
  EXPECT_EQ(machine.cpu_quota, 0.5);
  EXPECT_EQ(machine.usable_cores, 1) << "half a CPU still runs one thread";
}

TEST_F(MachineOf, UnknownSystemStillWorks) {
  const Machine machine = read_machine(root_);
  EXPECT_EQ(machine.cpu_model, "unknown");
  EXPECT_EQ(machine.memory_bytes, 0);
  EXPECT_FALSE(machine.cpu_quota);
  EXPECT_GE(machine.allowed_cpus, 1);
  EXPECT_EQ(machine.allowed_cores, machine.allowed_cpus);
}

TEST_F(MachineOf, AffinityIsRespected) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  EXPECT_EQ(read_machine(root_).allowed_cpus, CPU_COUNT(&before));
  // In a new thread, so that the changed mask is gone when that thread ends.
  std::thread([this] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(sched_getcpu()), &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
    EXPECT_EQ(read_machine(root_).allowed_cpus, 1);
    EXPECT_EQ(read_machine(root_).usable_cores, 1);
  }).join();
}

TEST_F(MachineOf, HardwareThreadsOfACoreAreOneCore) {
  put_cores(1024);
  EXPECT_EQ(read_machine(root_).allowed_cores, 1);
  put_cores(1);
  EXPECT_EQ(read_machine(root_).allowed_cores, read_machine(root_).allowed_cpus);
}

TEST(Machine, OfThisComputerMakesSense) {
  const Machine machine = read_machine();
  EXPECT_GE(machine.online_cpus, machine.allowed_cpus);
  EXPECT_GE(machine.allowed_cpus, machine.allowed_cores);
  EXPECT_GE(machine.allowed_cores, machine.usable_cores);
  EXPECT_GE(machine.usable_cores, 1);
  EXPECT_GT(machine.memory_bytes, 0);
  EXPECT_GT(machine.available_memory_bytes, 0);
  EXPECT_LE(machine.available_memory_bytes, machine.memory_bytes);
}

TEST(Machine, PeakFollowsWhatWasTouched) {
  const std::int64_t before = peak_resident_bytes();
  EXPECT_GT(before, 0);
  constexpr std::int64_t kBytes = std::int64_t{256} << 20U;
  {
    const auto memory = std::make_unique<unsigned char[]>(kBytes);
    std::memset(memory.get(), 1, kBytes);
    EXPECT_EQ(memory[kBytes / 2], 1);
  }
  EXPECT_GE(peak_resident_bytes(), kBytes) << "the peak stays after the memory is gone";
}

}  // namespace
}  // namespace convoy
