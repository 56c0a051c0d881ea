#include "convoy/cli/launch/mpirun_leftovers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "convoy/base/forked_test.h"
#include "convoy/base/temporary_folder_test.h"

namespace convoy::cli {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

// No process has these ids.
constexpr pid_t kMpirun = 11616;
constexpr pid_t kOther = 11617;

class MpirunLeftovers : public TemporaryFolder {
 protected:
  void SetUp() override {
    TemporaryFolder::SetUp();
    places_ = {.temporary = folder_ / "tmp", .memory = folder_ / "shm", .host = "vm", .user = geteuid()};
    fs::create_directories(places_.temporary);
    fs::create_directories(places_.memory);
    sessions_ = places_.temporary / ("ompi.vm." + std::to_string(geteuid()));
  }

  // Creates the files as Open MPI 4.1 does. The upper half of a job's number is mpirun's: 1100873728 is 0x419e0000.
  void leave_session(pid_t mpirun, const std::string& job) {
    const fs::path session = sessions_ / ("pid." + std::to_string(mpirun));
    fs::create_directories(session / "1" / "0");
    put(session / "contact.txt", job + ".0;tcp://192.0.2.2:35659\n" + std::to_string(mpirun) + "\n");
  }
  std::string leave_memory(const std::string& job) {
    std::string name = "vader_segment.vm." + std::to_string(geteuid()) + "." + job + ".0";
    put(places_.memory / name, "values");
    return name;
  }

  // Leaves the mark of a launcher that was killed.
  void leave_mark(pid_t mpirun) {
    EXPECT_EQ(in_child([&]() -> int {
                const LaunchMark mark(places_);
                mark.belongs_to(mpirun);
                _exit(0);
              }),
              0);
  }

  MpirunPlaces places_;
  fs::path sessions_;
};

TEST_F(MpirunLeftovers, SessionAndMemoryOfOneMpirunGo) {
  leave_session(kMpirun, "1100873728");
  leave_memory("419e0001");
  put(places_.memory / "osc_sm.vm.419e0001.0.3", "window");
  remove_leftovers(kMpirun, places_);
  EXPECT_THAT(names(places_.memory), IsEmpty());
  EXPECT_THAT(names(places_.temporary), IsEmpty());
}

TEST_F(MpirunLeftovers, ThoseOfOthersStay) {
  leave_session(kMpirun, "1100873728");
  leave_session(kOther, "1100939264");
  const std::string others = leave_memory("419f0001");
  remove_leftovers(kMpirun, places_);
  EXPECT_THAT(names(places_.memory), ElementsAre(others));
  EXPECT_THAT(names(sessions_), ElementsAre("pid." + std::to_string(kOther)));
}

TEST_F(MpirunLeftovers, TheNextLaunchRemovesWhatAKilledOneLeft) {
  leave_session(kMpirun, "1100873728");
  leave_memory("419e0001");
  leave_mark(kMpirun);
  EXPECT_THAT(names(places_.memory), testing::SizeIs(2));
  // Another shell may use other temporary folders.
  MpirunPlaces elsewhere = places_;
  elsewhere.temporary = folder_;
  remove_abandoned_launches(elsewhere);
  EXPECT_THAT(names(places_.memory), IsEmpty());
  EXPECT_THAT(names(places_.temporary), IsEmpty());
}

TEST_F(MpirunLeftovers, WhatALivingLaunchUsesStays) {
  leave_session(kMpirun, "1100873728");
  const std::string memory = leave_memory("419e0001");
  {
    const LaunchMark mark(places_);
    mark.belongs_to(kMpirun);
    remove_abandoned_launches(places_);
    EXPECT_THAT(names(places_.memory), ElementsAre(StartsWith("convoy_launch."), memory));
    EXPECT_THAT(names(sessions_), testing::SizeIs(1));
  }
  EXPECT_THAT(names(places_.memory), ElementsAre(memory)) << "the mark goes with its launch";
}

TEST_F(MpirunLeftovers, AMarkThatSaysNothingRemovesNothing) {
  leave_session(kMpirun, "1100873728");
  put(places_.memory / ("convoy_launch." + std::to_string(geteuid()) + ".abcdef"), "nonsense");
  remove_abandoned_launches(places_);
  EXPECT_THAT(names(places_.memory), IsEmpty());
  EXPECT_THAT(names(sessions_), testing::SizeIs(1));
}

TEST_F(MpirunLeftovers, TheMarkOfSomebodyElseIsNotBelieved) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make files of others";
  leave_session(kMpirun, "1100873728");
  const fs::path mark = places_.memory / "convoy_launch.0.abcdef";
  put(mark, std::to_string(kMpirun) + "\n" + places_.temporary.string() + "\n");
  constexpr uid_t kNobody = 65534;
  ASSERT_EQ(chown(mark.c_str(), kNobody, kNobody), 0);
  remove_abandoned_launches(places_);
  EXPECT_THAT(names(sessions_), testing::SizeIs(1));
}

}  // namespace
}  // namespace convoy::cli
