#include "convoy/run/settings/duration_text.h"

#include <limits>

#include "convoy/base/error.h"
#include "convoy/base/throws_with_test.h"

namespace convoy {
namespace {

TEST(DurationText, ReadsSecondsMinutesAndHours) {
  EXPECT_EQ(parse_duration("--max-time", "90"), 90);
  EXPECT_EQ(parse_duration("--max-time", "90s"), 90);
  EXPECT_EQ(parse_duration("--max-time", "1.5m"), 90);
  EXPECT_EQ(parse_duration("--max-time", "2h"), 7200);
  EXPECT_EQ(parse_duration("--max-time", "1e3"), 1000);
}

TEST(DurationText, RefusesEverythingElse) {
  for (const char* text : {"", "s", "0", "0s", "-5m", "5 m", "5d", "1h30m", "nan", "inf", "infh", "five"}) {
    EXPECT_TRUE(throws_with<UserError>([&] { (void)parse_duration("--max-time", text); }, "--max-time must be a time"))
        << text;
  }
}

TEST(DurationText, GrowsWithTheDuration) {
  EXPECT_EQ(duration_text(0), "0 s");
  EXPECT_EQ(duration_text(0.4), "0 s");
  EXPECT_EQ(duration_text(59.4), "59 s");
  EXPECT_EQ(duration_text(59.6), "1:00");
  EXPECT_EQ(duration_text(187), "3:07");
  EXPECT_EQ(duration_text(3599.4), "59:59");
  EXPECT_EQ(duration_text(3765), "1:02:45");
  EXPECT_EQ(duration_text(360000), "100:00:00");
}

TEST(DurationText, WhatIsNoNumberIsNoTime) {
  EXPECT_EQ(duration_text(std::numeric_limits<double>::quiet_NaN()), "-");
  EXPECT_EQ(duration_text(std::numeric_limits<double>::infinity()), "-");
}

}  // namespace
}  // namespace convoy
