#include "convoy/cli/launch/hosts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"

namespace convoy::cli {
namespace {

using testing::ElementsAre;

std::string text_of(const std::vector<Host>& hosts) {
  std::string text;
  for (const Host& host : hosts) text += host.name + "=" + (host.slots ? std::to_string(*host.slots) : "?") + " ";
  return text;
}

TEST(Hosts, AListNamesHostsAndSlots) {
  EXPECT_EQ(text_of(parse_host_list("a:2,b")), "a=2 b=? ");
  EXPECT_EQ(text_of(parse_host_list("")), "");
}

TEST(Hosts, AHostfileIsAsOpenMpiReadsIt) {
  EXPECT_EQ(text_of(parse_hostfile("# ours\n\nnode1 slots=4 max_slots=8  # fast\n  node2\nnode3:2\r\n", "f")),
            "node1=4 node2=? node3=2 ");
  EXPECT_EQ(text_of(parse_hostfile("a slots = 2 max-slots=4\n", "f")), "a=2 ");
}

TEST(Hosts, SlotsOfAHostThatIsNamedAgainAddUp) {
  EXPECT_EQ(text_of(parse_hostfile("a\nb slots=2\na\nb slots=3\n", "f")), "a=2 b=5 ");
  EXPECT_EQ(text_of(parse_hostfile("a slots=2\na\n", "f")), "a=3 ");
  EXPECT_EQ(text_of(parse_host_list("a:1,a:1,b")), "a=2 b=? ");
}

TEST(Hosts, ANumberAloneIsTheSlots) { EXPECT_EQ(text_of(parse_hostfile("localhost 2\n", "f")), "localhost=2 "); }

TEST(Hosts, NoWordOfAHostfileIsLost) {
  for (const char* line : {"a slot=2", "a two", "a b", "a username=me"}) {
    EXPECT_TRUE(throws_with<UserError>([&] { (void)parse_hostfile(line, "file"); }, "file:1: '")) << line;
    EXPECT_TRUE(throws_with<UserError>([&] { (void)parse_hostfile(line, "file"); }, "slots=2")) << line;
  }
  EXPECT_TRUE(throws_with<UserError>([] { (void)parse_hostfile("a slots=2 3", "file"); }, "twice"));
  EXPECT_TRUE(throws_with<UserError>([] { (void)parse_hostfile("a 0", "file"); }, "'0'"));
}

TEST(Hosts, NonsenseIsRefusedWithItsPlace) {
  EXPECT_TRUE(throws_with<UserError>([] { (void)parse_host_list("a:x"); }, "--hosts"));
  EXPECT_TRUE(throws_with<UserError>([] { (void)parse_host_list("a:x"); }, "'x'"));
  EXPECT_TRUE(throws_with<UserError>([] { (void)parse_host_list("a:0"); }, "--hosts"));
  EXPECT_TRUE(throws_with<UserError>([] { (void)parse_host_list("a:0"); }, "'0'"));
  EXPECT_TRUE(throws_with<UserError>([] { (void)parse_host_list("a,,b"); }, "--hosts"));
  EXPECT_TRUE(throws_with<UserError>([] { (void)parse_host_list("a,,b"); }, "no name"));
  EXPECT_TRUE(throws_with<UserError>([] { (void)parse_hostfile("a\nb slots=-1\n", "file"); }, "file:2"));
  EXPECT_TRUE(throws_with<UserError>([] { (void)parse_hostfile("a\nb slots=-1\n", "file"); }, "'-1'"));
  EXPECT_TRUE(throws_with<UserError>([] { (void)parse_hostfile("# nothing\n", "file"); }, "file"));
  EXPECT_TRUE(throws_with<UserError>([] { (void)parse_hostfile("# nothing\n", "file"); }, "no host"));
  EXPECT_TRUE(throws_with<UserError>([] { (void)read_hosts("no/such/file"); }, "no such file: no/such/file"));
  EXPECT_TRUE(throws_with<UserError>([] { (void)read_hosts("no/such/file"); }, "a:2,b:2"));
}

TEST(Hosts, WorkersFillTheSlotsInOrder) {
  EXPECT_THAT(share_workers(4, parse_host_list("a:2,b:2")), ElementsAre(2, 2));
  EXPECT_THAT(share_workers(3, parse_host_list("a:2,b:2")), ElementsAre(2, 1));
  EXPECT_THAT(share_workers(1, parse_host_list("a:2,b:2")), ElementsAre(1, 0));
}

TEST(Hosts, HostsWithoutSlotsShareEvenly) {
  EXPECT_THAT(share_workers(4, parse_host_list("a,b")), ElementsAre(2, 2));
  EXPECT_THAT(share_workers(5, parse_host_list("a,b,c")), ElementsAre(2, 2, 1));
  EXPECT_THAT(share_workers(5, parse_host_list("a:3,b")), ElementsAre(3, 2));
  EXPECT_THAT(share_workers(2, parse_host_list("a,b:2")), ElementsAre(0, 2));
}

TEST(Hosts, MoreWorkersThanSlotsAreRefused) {
  EXPECT_TRUE(
      throws_with<UserError>([] { (void)share_workers(5, parse_host_list("a:2,b:2")); }, "5 workers on 4 slots"));
}

TEST(Hosts, SlotsAreWorkersWhenNothingElseIsSaid) {
  EXPECT_EQ(slots_of(parse_host_list("a:2,b:3")), 5);
  EXPECT_EQ(slots_of(parse_host_list("a,b,c:2")), 4);
}

}  // namespace
}  // namespace convoy::cli
