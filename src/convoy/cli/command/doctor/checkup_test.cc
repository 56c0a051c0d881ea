#include "convoy/cli/command/doctor/checkup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace convoy::cli {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Checkup healthy() {
  Checkup checkup;
  checkup.build.build_type = "Release";
  checkup.machine.cpu_flags = {"sse2", "avx2"};
  checkup.machine.online_cpus = checkup.machine.allowed_cpus = 8;
  checkup.machine.allowed_cores = checkup.machine.usable_cores = 4;
  checkup.machine.memory_bytes = std::int64_t{16} << 30U;
  checkup.machine.available_memory_bytes = std::int64_t{12} << 30U;
  checkup.machine.load_average = 1.0;
  checkup.mpirun = "/usr/bin/mpirun";
  return checkup;
}

TEST(Checkup, HealthyMachineHasNoProblems) { EXPECT_THAT(problems_of(healthy()), IsEmpty()); }

TEST(Checkup, NoMpirun) {
  Checkup checkup = healthy();
  checkup.mpirun.clear();
  EXPECT_THAT(problems_of(checkup), ElementsAre(AllOf(HasSubstr("no mpirun in PATH"), HasSubstr("openmpi-bin"))));
}

TEST(Checkup, DebugBuild) {
  Checkup checkup = healthy();
  checkup.build.build_type = "Debug";
  EXPECT_THAT(problems_of(checkup), ElementsAre(HasSubstr("Debug build")));
}

TEST(Checkup, NoAvx2) {
  Checkup checkup = healthy();
  checkup.machine.cpu_flags = {"sse2"};
  EXPECT_THAT(problems_of(checkup), ElementsAre(HasSubstr("AVX2")));
  checkup.machine.cpu_flags.clear();
  EXPECT_THAT(problems_of(checkup), IsEmpty()) << "a system that lists no flags says nothing about AVX2";
}

TEST(Checkup, ThreadVariable) {
  Checkup checkup = healthy();
  for (const char* good : {"1", "4", "4,8"}) {
    checkup.omp_num_threads = good;
    EXPECT_THAT(problems_of(checkup), IsEmpty()) << good;
  }
  checkup.omp_num_threads = "5";
  EXPECT_THAT(problems_of(checkup), ElementsAre(AllOf(HasSubstr("OMP_NUM_THREADS is 5"), HasSubstr("set it to 4"))));
  for (const char* bad : {"", "all", "0", "-2", "4x"}) {
    checkup.omp_num_threads = bad;
    EXPECT_THAT(problems_of(checkup), ElementsAre(HasSubstr("not a number of threads"))) << bad;
  }
}

TEST(Checkup, ContainerQuota) {
  Checkup checkup = healthy();
  checkup.machine.cpu_quota = 4.0;
  EXPECT_THAT(problems_of(checkup), IsEmpty());
  checkup.machine.cpu_quota = 1.5;
  checkup.machine.usable_cores = 1;
  EXPECT_THAT(problems_of(checkup), ElementsAre(AllOf(HasSubstr("1.5 CPUs"), HasSubstr("4 cores"))));
}

TEST(Checkup, LittleMemory) {
  Checkup checkup = healthy();
  checkup.machine.available_memory_bytes = 300 << 20U;
  EXPECT_THAT(problems_of(checkup), ElementsAre(AllOf(HasSubstr("300 MiB"), HasSubstr("16 GiB"))));
}

TEST(Checkup, BusyMachine) {
  Checkup checkup = healthy();
  checkup.machine.load_average = 6.5;
  EXPECT_THAT(problems_of(checkup), ElementsAre(HasSubstr("load average 6.5 on 8 CPUs")));
}

TEST(Checkup, LockedCache) {
  Checkup checkup = healthy();
  checkup.cache_folder = "/locked/convoy";
  checkup.cache_is_writable = false;
  EXPECT_THAT(problems_of(checkup), ElementsAre(HasSubstr("/locked/convoy is not writable")));
  checkup.cache_folder.clear();
  EXPECT_THAT(problems_of(checkup), ElementsAre(HasSubstr("set XDG_CACHE_HOME or HOME")));
}

TEST(Checkup, EveryProblemIsListed) {
  Checkup checkup = healthy();
  checkup.build.build_type = "Debug";
  checkup.machine.load_average = 20;
  checkup.cache_is_writable = false;
  EXPECT_EQ(problems_of(checkup).size(), 3U);
}

}  // namespace
}  // namespace convoy::cli
