#include "convoy/cli/terminal/terminal.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): setenv, posix_openpt
#include <unistd.h>

namespace convoy::cli {
namespace {

class Terminal : public testing::Test {
 protected:
  void SetUp() override {
    terminal_ = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal_ < 0) {
      GTEST_SKIP() << "no pseudo-terminal to be had";
    }
    unsetenv("NO_COLOR");
    setenv("TERM", "xterm", 1);
  }
  void TearDown() override { close(terminal_); }

  int terminal_ = -1;
};

TEST_F(Terminal, IsColoured) { EXPECT_TRUE(wants_colour(terminal_)); }

TEST_F(Terminal, NoColorIsHonoured) {
  setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(wants_colour(terminal_));
  setenv("NO_COLOR", "", 1);
  EXPECT_TRUE(wants_colour(terminal_)) << "an empty NO_COLOR counts as unset";
}

TEST_F(Terminal, DumbAndUnknownTerminalsArePlain) {
  setenv("TERM", "dumb", 1);
  EXPECT_FALSE(wants_colour(terminal_));
  unsetenv("TERM");
  EXPECT_FALSE(wants_colour(terminal_));
}

TEST_F(Terminal, AFileIsPlain) {
  const int file = open("/dev/null", O_WRONLY);
  EXPECT_FALSE(wants_colour(file));
  close(file);
}

}  // namespace
}  // namespace convoy::cli
