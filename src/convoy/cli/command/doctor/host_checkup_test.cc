#include "convoy/cli/command/doctor/host_checkup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace convoy::cli {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

HostCheckup healthy(const std::string& name) {
  return {
      .host = name, .version = "1 (abc)", .kernels = "oneDNN 2", .isa = "avx512", .processor = "p", .usable_cores = 8};
}

TEST(HostCheckup, EqualHostsAreWell) {
  EXPECT_THAT(problems_of({healthy("a"), healthy("b")}), IsEmpty());
  EXPECT_THAT(problems_of(std::vector<HostCheckup>{}), IsEmpty());
}

TEST(HostCheckup, TheOddOneOutIsNamed) {
  std::vector<HostCheckup> hosts = {healthy("a"), healthy("b"), healthy("c")};
  hosts[0].version = "0 (old)";
  hosts[1].isa = "avx2";
  hosts[2].usable_cores = 4;
  EXPECT_THAT(problems_of(hosts), ElementsAre(AllOf(StartsWith("a: "), HasSubstr("0 (old) where others have 1 (abc)")),
                                              AllOf(StartsWith("b: "), HasSubstr("avx2 where others have avx512")),
                                              AllOf(StartsWith("c: "), HasSubstr("4 usable cores"))));
}

TEST(HostCheckup, OfTwoTheFirstIsTheMeasure) {
  std::vector<HostCheckup> hosts = {healthy("b"), healthy("a")};
  hosts[1].kernels = "oneDNN 3";
  EXPECT_THAT(problems_of(hosts), ElementsAre(StartsWith("a: kernels oneDNN 3")));
}

TEST(HostCheckup, TroublesOfOneHostCarryItsName) {
  HostCheckup host = healthy("b");
  host.problems = {"it is busy"};
  EXPECT_THAT(problems_of({healthy("a"), host}), ElementsAre("b: it is busy"));
}

TEST(HostCheckup, SurvivesTheJourney) {
  HostCheckup host = healthy("b");
  host.problems = {"one \"quoted\"", "two\nlines"};
  const HostCheckup back = host_checkup_from(to_text(host));
  EXPECT_EQ(to_text(back), to_text(host));
  EXPECT_EQ(back.problems, host.problems);
  EXPECT_EQ(back.usable_cores, 8);
}

TEST(HostCheckup, LooksAtThisHost) {
  const HostCheckup here = examine_host("here");
  EXPECT_EQ(here.host, "here");
  EXPECT_GE(here.usable_cores, 1);
  EXPECT_FALSE(here.isa.empty());
}

}  // namespace
}  // namespace convoy::cli
