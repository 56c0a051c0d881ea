#include "convoy/cli/launch/launcher_lines.h"

#include <gtest/gtest.h>

#include <csignal>

namespace convoy::cli {
namespace {

std::string without_end(const std::string& line) {
  EXPECT_EQ(line.back(), '\n');
  return line.substr(0, line.size() - 1);
}

TEST(StopRequest, ComesBackAsItsSignal) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    EXPECT_EQ(signal_in_request(without_end(stop_request(signal))), signal);
  }
}

TEST(StopRequest, OtherLinesAreNone) {
  for (const char* line : {"", "stop", "stop for signal ", "stop for signal 2x", "stop for signal -2", "go on"}) {
    EXPECT_FALSE(signal_in_request(line)) << line;
  }
}

TEST(StopRequest, NoticesAreToldApart) {
  EXPECT_TRUE(is_listening_notice(without_end(listening_notice())));
  EXPECT_FALSE(is_heard_notice(without_end(listening_notice())));
  EXPECT_TRUE(is_heard_notice(without_end(heard_notice())));
  EXPECT_FALSE(is_listening_notice("the request to stop was heard"));
}

}  // namespace
}  // namespace convoy::cli
