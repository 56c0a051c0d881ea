#include "convoy/optim/schedule_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "convoy/base/error.h"
#include "convoy/base/odd_numbers_test.h"

namespace convoy {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

void expect_refused(const ScheduleOptions& options, const std::string& why) {
  EXPECT_THAT([&] { check_options(options); }, ThrowsMessage<UserError>(HasSubstr(why)));
}

TEST(ScheduleNames, AreKnown) {
  EXPECT_EQ(schedule_named("constant"), ScheduleKind::constant);
  EXPECT_EQ(schedule_named("step"), ScheduleKind::step);
  EXPECT_EQ(schedule_named("cosine"), ScheduleKind::cosine);
  EXPECT_EQ(schedule_named("polynomial"), ScheduleKind::polynomial);
  EXPECT_EQ(schedule_named("one-cycle"), ScheduleKind::one_cycle);
  EXPECT_EQ(schedule_names().size(), 5U);
}

TEST(ScheduleNames, AMisspeltOneGetsASuggestion) {
  EXPECT_THAT([] { (void)schedule_named("onecycle"); },
              ThrowsMessage<UserError>(HasSubstr("unknown schedule \"onecycle\"; did you mean \"one-cycle\"?")));
}

TEST(ScheduleOptions, TheRateIsPositive) {
  for (const double bad : {0.0, -0.1, kNan, kInfinity}) {
    expect_refused({.rate = bad}, "learning rate must be finite and greater than 0");
  }
}

TEST(ScheduleOptions, WarmUpIsShorterThanTraining) {
  expect_refused({.steps = 0}, "steps must be at least 1");
  expect_refused({.steps = 10, .warmup_steps = -1}, "warm-up must be at least 0 steps");
  expect_refused({.steps = 10, .warmup_steps = 10}, "warm-up of 10 steps leaves nothing of a training of 10");
  EXPECT_NO_THROW(check_options({.steps = 10, .warmup_steps = 9}));
}

TEST(ScheduleOptions, StepWantsMilestonesOrAnInterval) {
  const auto step = ScheduleKind::step;
  expect_refused({.kind = step}, "either milestones or");
  expect_refused({.kind = step, .milestones = {3}, .every = 3}, "either milestones or");
  expect_refused({.kind = step, .every = -3}, "every must be at least 1 step, got -3");
  expect_refused({.kind = step, .milestones = {0, 3}}, "milestones must be at least 1 and ascending, got 0, 3");
  expect_refused({.kind = step, .milestones = {5, 3}}, "ascending");
  expect_refused({.kind = step, .milestones = {3, 3}}, "ascending");
  EXPECT_NO_THROW(check_options({.kind = step, .milestones = {3, 5}}));
  for (const double bad : {0.0, 1.1, -0.5, kNan}) {
    expect_refused({.kind = step, .every = 3, .factor = bad}, "factor must be greater than 0 and at most 1");
  }
}

TEST(ScheduleOptions, CurvesHaveRanges) {
  for (const double bad : {-0.1, 1.1, kNan}) {
    expect_refused({.kind = ScheduleKind::cosine, .final_fraction = bad}, "final fraction must be from 0 to 1");
  }
  for (const double bad : {0.0, -1.0, kNan, kInfinity}) {
    expect_refused({.kind = ScheduleKind::polynomial, .power = bad}, "power must be greater than 0");
  }
}

TEST(ScheduleOptions, OneCycleHasRanges) {
  const auto cycle = ScheduleKind::one_cycle;
  for (const double bad : {0.9, 0.0, -2.0, kNan, kInfinity}) {
    expect_refused({.kind = cycle, .start_divisor = bad}, "start divisor must be at least 1");
    expect_refused({.kind = cycle, .end_divisor = bad}, "end divisor must be at least 1");
  }
  for (const double bad : {-0.1, 1.0, kNan}) {
    expect_refused({.kind = cycle, .rise_fraction = bad}, "rise fraction must be at least 0 and less than 1");
  }
}

TEST(ScaledRate, GrowsWithTheBatch) {
  EXPECT_DOUBLE_EQ(scaled_rate(0.1, 256), 0.1);
  EXPECT_DOUBLE_EQ(scaled_rate(0.1, 8192), 3.2);
  EXPECT_DOUBLE_EQ(scaled_rate(0.1, 32), 0.0125);
}

TEST(ScaledRate, RefusesWhatMakesNoSense) {
  EXPECT_THROW((void)scaled_rate(0, 256), UserError);
  EXPECT_THROW((void)scaled_rate(kNan, 256), UserError);
  EXPECT_THROW((void)scaled_rate(1e308, 1 << 20), UserError);
  EXPECT_THROW((void)scaled_rate(0.1, 0), UserError);
}

}  // namespace
}  // namespace convoy
