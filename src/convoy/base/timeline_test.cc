#include "convoy/base/timeline.h"

#include <gtest/gtest.h>

namespace convoy {
namespace {

TEST(Timeline, KeepsWhatHappensBetweenStartAndStop) {
  Timeline timeline;
  const auto before = Clock::now();
  timeline.add(Lane::compute, "too early", before);
  timeline.start();
  timeline.add(Lane::compute, "began before", before);
  const auto begin = Clock::now();
  timeline.add(Lane::communication, "bucket", begin, begin + std::chrono::milliseconds(5));
  timeline.add(Lane::compute, "later", begin + std::chrono::milliseconds(7), begin + std::chrono::milliseconds(8));
  timeline.stop();
  timeline.add(Lane::compute, "too late", Clock::now());
  const auto events = timeline.events();
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0].name, "bucket");
  EXPECT_EQ(events[0].lane, Lane::communication);
  EXPECT_DOUBLE_EQ(events[0].seconds, 0.005);
  // Times count from start(), which was called between `before` and `begin`.
  EXPECT_GE(events[0].begin, 0);
  EXPECT_LE(events[0].begin, seconds_between(before, begin));
  EXPECT_NEAR(events[1].begin - events[0].begin, 0.007, 1e-9);
}

}  // namespace
}  // namespace convoy
