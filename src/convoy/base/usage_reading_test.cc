#include "convoy/base/usage_reading.h"

#include <unistd.h>

#include "convoy/base/fake_root_test.h"

namespace convoy {
namespace {

using UsageReadingTest = FakeRoot;

constexpr const char* kHeadings =
    "Inter-|   Receive                                                |  Transmit\n"
    " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls\n";

TEST_F(UsageReadingTest, SumsAllInterfacesButTheLoopback) {
  put("proc/net/dev", std::string(kHeadings) +
                          "    lo: 5000 1 0 0 0 0 0 0 5000 1 0 0 0 0 0 0\n"
                          "  eth0: 300 2 0 0 0 0 0 0 40 3 0 0 0 0 0 0\n"
                          "wlan0:7000 4 9 9 9 9 9 9 800 5 0 0 0 0 0 0\n");
  EXPECT_EQ(read_network_bytes(root_), (NetworkBytes{.received = 7300, .sent = 840}));
}

TEST_F(UsageReadingTest, NothingWasSentWithoutANetwork) {
  put("proc/net/dev", std::string(kHeadings) + "    lo: 5000 1 0 0 0 0 0 0 5000 1 0 0 0 0 0 0\n");
  EXPECT_EQ(read_network_bytes(root_), NetworkBytes{});
}

TEST_F(UsageReadingTest, WhatIsNotToldIsUnknown) {
  EXPECT_FALSE(read_network_bytes(root_));
  EXPECT_EQ(resident_bytes(root_), 0);
  put("proc/net/dev", "rubbish: 1 2\n");
  EXPECT_FALSE(read_network_bytes(root_));
}

TEST_F(UsageReadingTest, ResidentMemoryIsCountedInPages) {
  put("proc/self/statm", "900 25 3 4 0 5 0\n");
  EXPECT_EQ(resident_bytes(root_), 25 * sysconf(_SC_PAGESIZE));
}

TEST(UsageReading, OfThisProcess) {
  const UsageReading before = read_usage(false);
  EXPECT_GT(before.resident_bytes, 0);
  EXPECT_FALSE(before.machine_cpu_seconds);
  EXPECT_FALSE(before.network);
  const UsageReading after = read_usage(true);
  EXPECT_GE(after.at, before.at);
  EXPECT_GE(after.cpu_seconds, before.cpu_seconds);
}

}  // namespace
}  // namespace convoy
