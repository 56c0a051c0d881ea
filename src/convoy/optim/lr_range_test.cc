#include "convoy/optim/lr_range.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "convoy/base/error.h"
#include "convoy/base/odd_numbers_test.h"
#include "convoy/base/rng.h"

namespace convoy {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

// Runs a whole test in which the loss is a function of the rate.
LrRangeTest run(const LrRangeOptions& options, const std::function<double(double)>& loss) {
  LrRangeTest test(options);
  while (!test.done()) test.add(loss(test.next_rate()));
  return test;
}

// Flat at 2.3, then falling, fastest per factor of rate at `knee`, then flat at 0.3.
double falling(double rate, double knee) { return 0.3 + 2.0 / (1 + std::pow(rate / knee, 3)); }

TEST(SmoothedLoss, TheFirstIsTheLossItself) {
  SmoothedLoss smoothed(0.98);
  EXPECT_DOUBLE_EQ(smoothed.add(5), 5);
}

// By hand: the latest loss has weight 1, the one before 0.5, divided by the sum of weights.
TEST(SmoothedLoss, WeighsThePastLess) {
  SmoothedLoss smoothed(0.5);
  (void)smoothed.add(4);
  EXPECT_DOUBLE_EQ(smoothed.add(1), (1 + 0.5 * 4) / 1.5);
  EXPECT_DOUBLE_EQ(smoothed.add(0), (0.5 * 1 + 0.25 * 4) / 1.75);
}

TEST(SmoothedLoss, AConstantStays) {
  SmoothedLoss smoothed(0.9);
  for (int i = 0; i < 50; ++i) EXPECT_NEAR(smoothed.add(2.3), 2.3, 1e-12);
}

TEST(LrRange, RatesGrowByTheSameFactor) {
  const LrRangeTest test = run({.first_rate = 1e-3, .last_rate = 1, .steps = 13}, [](double) { return 1.0; });
  ASSERT_EQ(test.points().size(), 13U);
  for (std::size_t i = 0; i < 13; ++i) {
    EXPECT_NEAR(test.points()[i].rate, std::pow(10, -3 + 0.25 * static_cast<double>(i)), 1e-12);
  }
}

TEST(LrRange, SuggestsTheSteepestPoint) {
  for (const double knee : {1e-4, 3e-3, 0.1}) {
    const LrRangeTest test = run({.steps = 200, .smoothing = 0}, [&](double rate) { return falling(rate, knee); });
    ASSERT_TRUE(test.suggestion().has_value());
    EXPECT_NEAR(std::log10(*test.suggestion()), std::log10(knee), 0.05);
  }
}

// Smoothing lags, so the suggested rate is too high, but by less than a factor of ten.
TEST(LrRange, NoiseAndDivergenceDoNotMislead) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Rng rng(seed);
    const LrRangeTest test =
        run({}, [&](double rate) { return falling(rate, 3e-3) + 0.1 * rng.normal() + (rate > 0.3 ? 10 * rate : 0); });
    ASSERT_TRUE(test.suggestion().has_value());
    EXPECT_GT(*test.suggestion(), 1e-3) << seed;
    EXPECT_LT(*test.suggestion(), 3e-2) << seed;
  }
}

TEST(LrRange, StopsWhenTheLossHasLeft) {
  const LrRangeOptions options = {.first_rate = 1e-3, .last_rate = 1, .steps = 31, .smoothing = 0};
  const LrRangeTest test = run(options, [](double rate) { return rate < 0.1 ? 1.0 : (rate < 0.3 ? 3.9 : 4.1); });
  EXPECT_EQ(test.points().size(), 26U);
  EXPECT_EQ(test.points().back().loss, 4.1);
}

// Smoothing hides a single bad loss: 0.9 * 1 + 0.1 * 20 is not four times the best.
TEST(LrRange, OneBadLossDoesNotStopIt) {
  LrRangeTest test({.steps = 60});
  for (int i = 0; i < 50; ++i) test.add(i == 40 ? 20.0 : 1.0);
  EXPECT_FALSE(test.done());
}

TEST(LrRange, StopsAtOnceWhenTheLossIsNotFinite) {
  for (const double bad : {kNan, kInfinity}) {
    const LrRangeTest test = run({}, [&](double rate) { return rate < 0.01 ? falling(rate, 1e-3) : bad; });
    EXPECT_LT(test.points().size(), 100U);
    EXPECT_TRUE(std::isfinite(test.points()[test.points().size() - 2].loss));
    EXPECT_FALSE(std::isfinite(test.points().back().loss));
    ASSERT_TRUE(test.suggestion().has_value());
    EXPECT_LT(*test.suggestion(), 0.01);
  }
  const LrRangeTest never = run({}, [](double) { return kNan; });
  EXPECT_EQ(never.points().size(), 1U);
  EXPECT_FALSE(never.suggestion().has_value());
}

TEST(LrRange, SuggestsNothingWhereNothingFalls) {
  EXPECT_FALSE(run({}, [](double) { return 2.3; }).suggestion().has_value());
  EXPECT_FALSE(run({}, [](double rate) { return 2.3 + rate; }).suggestion().has_value());
  EXPECT_FALSE(run({}, [](double rate) { return rate < 1e-3 ? 2.3 : 2.29; }).suggestion().has_value());
  EXPECT_TRUE(run({}, [](double rate) { return rate < 1e-3 ? 2.3 : 2.2; }).suggestion().has_value());
  EXPECT_FALSE(LrRangeTest({}).suggestion().has_value());
}

// The fourth loss happens to be much better than those before, at a rate too low to have any effect.
TEST(LrRange, AJumpInTheFirstStepsIsNotTheSteepestPoint) {
  int step = 0;
  const LrRangeTest test = run({}, [&](double rate) { return falling(rate, 3e-3) + (++step < 4 ? 1 : 0); });
  ASSERT_TRUE(test.suggestion().has_value());
  EXPECT_GT(*test.suggestion(), 1e-3);
}

TEST(LrRange, RefusesOptionsOutOfRange) {
  const auto expect_refused = [](const LrRangeOptions& options, const std::string& why) {
    EXPECT_THAT([&] { (void)LrRangeTest(options); }, ThrowsMessage<UserError>(HasSubstr(why)));
  };
  for (const double bad : {0.0, -1.0, kNan, kInfinity}) {
    expect_refused({.first_rate = bad}, "first rate must be greater than 0");
  }
  for (const double bad : {1e-6, 1e-7, kNan, kInfinity}) {
    expect_refused({.last_rate = bad}, "last rate must be greater than the first");
  }
  expect_refused({.steps = 9}, "steps must be at least 10");
  for (const double bad : {-0.1, 1.0, kNan}) {
    expect_refused({.smoothing = bad}, "smoothing must be at least 0 and less than 1");
  }
  for (const double bad : {1.0, kNan}) {
    expect_refused({.stop_factor = bad}, "stop factor must be greater than 1");
  }
}

TEST(LrRange, NothingMayFollowTheEnd) {
  LrRangeTest test({});
  test.add(kNan);
  EXPECT_THROW(test.add(1.0), UserError);
}

}  // namespace
}  // namespace convoy
