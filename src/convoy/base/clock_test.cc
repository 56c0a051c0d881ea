#include "convoy/base/clock.h"

#include <gtest/gtest.h>

namespace convoy {
namespace {

using namespace std::chrono_literals;

TEST(Clock, CountsSecondsWithTheirFraction) {
  const Clock::time_point begin{};
  EXPECT_DOUBLE_EQ(seconds_between(begin, begin + 1500ms), 1.5);
  EXPECT_DOUBLE_EQ(seconds_between(begin, begin + 250us), 0.00025);
  EXPECT_DOUBLE_EQ(seconds_between(begin + 2s, begin), -2.0);
}

TEST(Clock, SinceDoesNotRunBackwards) {
  const Clock::time_point begin = Clock::now();
  const double first = seconds_since(begin);
  EXPECT_GE(first, 0.0);
  EXPECT_GE(seconds_since(begin), first);
}

}  // namespace
}  // namespace convoy
