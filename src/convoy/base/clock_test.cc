#include "convoy/base/clock.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace convoy {
namespace {

using namespace std::chrono_literals;

TEST(Clock, CountsSecondsWithTheirFraction) {
  const Clock::time_point begin{};
  EXPECT_DOUBLE_EQ(seconds_between(begin, begin + 1500ms), 1.5);
  EXPECT_DOUBLE_EQ(seconds_between(begin, begin + 250us), 0.00025);
  EXPECT_DOUBLE_EQ(seconds_between(begin + 2s, begin), -2.0);
}

TEST(Clock, NeverJumps) { EXPECT_TRUE(Clock::is_steady); }

TEST(Clock, SinceIsFromThenToNow) {
  // Compares with readings taken before and after, so that the test does not depend on how fast it runs.
  const Clock::time_point begin = Clock::now() - 1h;
  const double least = seconds_between(begin, Clock::now());
  const double since = seconds_since(begin);
  const double most = seconds_between(begin, Clock::now());
  EXPECT_LE(least, since);
  EXPECT_LE(since, most);
  EXPECT_GE(since, 3600.0);
}

TEST(Clock, ProcessorsCountWhatIsComputed) {
  const double begin = process_cpu_seconds();
  EXPECT_GT(begin, 0.0);
  volatile std::uint64_t work = 0;
  for (int i = 0; i < 1'000'000; ++i) work = work + 1;
  EXPECT_GT(process_cpu_seconds(), begin);
}

}  // namespace
}  // namespace convoy
