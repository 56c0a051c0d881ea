#include "convoy/run/settings/amounts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

using testing::ElementsAre;

TEST(ByteSizes, HaveUnits) {
  EXPECT_THAT(parse_byte_sizes("1K,100,4M,2G"), ElementsAre(100U, 1024U, 4194304U, 2147483648U));
  EXPECT_THAT(parse_byte_sizes("64K,4,64K"), ElementsAre(4U, 65536U));
}

TEST(ByteSizes, RefuseWhatIsNone) {
  for (const char* text : {"", "K", "1K,", ",1K", "1.5M", "-4", "4T", "1 K", "0", "3", "5G", "99999999999G"}) {
    EXPECT_TRUE(throws_with<UserError>([&] { (void)parse_byte_sizes(text); }, "is not a size")) << text;
  }
}

TEST(ByteSizes, OneAlone) {
  EXPECT_EQ(parse_byte_size("--bucket", "512K"), 524288U);
  EXPECT_TRUE(throws_with<UserError>([] { (void)parse_byte_size("--bucket", "1K,4M"); }, "--bucket"));
}

TEST(ByteSizes, AreWrittenShort) {
  EXPECT_EQ(byte_size_text(4), "4");
  EXPECT_EQ(byte_size_text(1000), "1000");
  EXPECT_EQ(byte_size_text(65536), "64K");
  EXPECT_EQ(byte_size_text(67108864), "64M");
}

}  // namespace

}  // namespace convoy
