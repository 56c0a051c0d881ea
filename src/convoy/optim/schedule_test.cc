// Schedules at their ends and corners; tests/parity compares every step with PyTorch's.
#include "convoy/optim/schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

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
    expect_refused({.learning_rate = bad}, "learning rate must be finite and greater than 0");
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

std::vector<double> rates(const ScheduleOptions& options, std::int64_t count) {
  const Schedule schedule(options);
  std::vector<double> all;
  for (std::int64_t step = 0; step < count; ++step) all.push_back(schedule.learning_rate(step));
  return all;
}

void expect_rates(const std::vector<double>& actual, const std::vector<double>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(actual[i], expected[i], 1e-12) << "step " << i;
}

TEST(Schedule, ConstantStays) { expect_rates(rates({.learning_rate = 0.3, .steps = 3}, 5), {0.3, 0.3, 0.3, 0.3, 0.3}); }

TEST(Schedule, StepDropsFromMilestonesOn) {
  const ScheduleOptions options = {
      .kind = ScheduleKind::step, .learning_rate = 8, .steps = 6, .milestones = {2, 3, 5, 9}, .factor = 0.5};
  expect_rates(rates(options, 10), {8, 8, 4, 2, 2, 1, 1, 1, 1, 0.5});
}

TEST(Schedule, StepDropsEverySoManySteps) {
  const ScheduleOptions options = {
      .kind = ScheduleKind::step, .learning_rate = 8, .steps = 6, .every = 2, .factor = 0.5};
  expect_rates(rates(options, 7), {8, 8, 4, 4, 2, 2, 1});
}

TEST(Schedule, CosineFallsToItsFraction) {
  const ScheduleOptions options = {.kind = ScheduleKind::cosine, .learning_rate = 2, .steps = 4, .final_fraction = 0.5};
  const double corner = std::sqrt(0.5);
  expect_rates(rates(options, 6), {2, 1.5 + 0.5 * corner, 1.5, 1.5 - 0.5 * corner, 1, 1});
}

TEST(Schedule, PolynomialFallsToItsFraction) {
  const ScheduleOptions options = {
      .kind = ScheduleKind::polynomial, .learning_rate = 2, .steps = 4, .final_fraction = 0.5, .power = 2};
  expect_rates(rates(options, 6), {2, 1 + 9.0 / 16, 1 + 4.0 / 16, 1 + 1.0 / 16, 1, 1});
}

TEST(Schedule, PolynomialOfPowerOneIsALine) {
  const ScheduleOptions options = {.kind = ScheduleKind::polynomial, .learning_rate = 4, .steps = 4};
  expect_rates(rates(options, 5), {4, 3, 2, 1, 0});
}

TEST(Schedule, OneCycleRisesToThePeakAndEndsInTheLastStep) {
  const ScheduleOptions options = {.kind = ScheduleKind::one_cycle,
                                   .learning_rate = 10,
                                   .steps = 11,
                                   .start_divisor = 10,
                                   .end_divisor = 100,
                                   .rise_fraction = 5.0 / 11};
  const std::vector<double> all = rates(options, 13);
  EXPECT_DOUBLE_EQ(all[0], 1);
  EXPECT_DOUBLE_EQ(all[2], 5.5);
  EXPECT_DOUBLE_EQ(all[4], 10);
  EXPECT_DOUBLE_EQ(all[7], 5.05);
  EXPECT_DOUBLE_EQ(all[10], 0.1);
  EXPECT_DOUBLE_EQ(all[12], 0.1);
}

TEST(Schedule, OneCycleOfHardlyAnySteps) {
  for (const std::int64_t steps : {1, 2, 3}) {
    const Schedule schedule({.kind = ScheduleKind::one_cycle, .learning_rate = 10, .steps = steps});
    EXPECT_DOUBLE_EQ(schedule.learning_rate(0), 10) << steps;
    EXPECT_TRUE(std::isfinite(schedule.learning_rate(steps))) << steps;
  }
}

// Step W is the first at the schedule's own rate, and the schedule runs over the remaining steps.
TEST(Schedule, WarmUpGrowsByEqualAmounts) {
  expect_rates(rates({.learning_rate = 8, .steps = 10, .warmup_steps = 3}, 6), {2, 4, 6, 8, 8, 8});
  expect_rates(rates({.kind = ScheduleKind::polynomial, .learning_rate = 8, .steps = 7, .warmup_steps = 3}, 8),
               {2, 4, 6, 8, 6, 4, 2, 0});
}

TEST(Schedule, MilestonesCountFromTheStartOfTraining) {
  const ScheduleOptions options = {
      .kind = ScheduleKind::step, .learning_rate = 8, .steps = 8, .warmup_steps = 3, .milestones = {5}, .factor = 0.5};
  expect_rates(rates(options, 7), {2, 4, 6, 8, 8, 4, 4});
}

TEST(Schedule, WarmUpLeadsToWhereOneCycleStarts) {
  const ScheduleOptions options = {
      .kind = ScheduleKind::one_cycle, .learning_rate = 50, .steps = 100, .warmup_steps = 1, .start_divisor = 25};
  const std::vector<double> all = rates(options, 3);
  EXPECT_DOUBLE_EQ(all[0], 1);
  EXPECT_DOUBLE_EQ(all[1], 2);
  EXPECT_GT(all[2], 2);
}

TEST(Schedule, EveryRateIsUsable) {
  for (const std::string& name : schedule_names()) {
    ScheduleOptions options = {.kind = schedule_named(name), .learning_rate = 0.7, .steps = 50, .warmup_steps = 7};
    options.every = options.kind == ScheduleKind::step ? 10 : 0;
    for (const double rate : rates(options, 60)) {
      EXPECT_GE(rate, 0) << name;
      EXPECT_LE(rate, 0.7) << name;
    }
  }
}

TEST(Schedule, RefusesOptionsOutOfRange) { EXPECT_THROW(Schedule({.learning_rate = 0}), UserError); }

TEST(Schedule, AStepBeforeTheFirstIsRefused) { EXPECT_THROW((void)Schedule({}).learning_rate(-1), UserError); }

}  // namespace

}  // namespace convoy
