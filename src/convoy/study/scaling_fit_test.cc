#include "convoy/study/scaling_fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "convoy/base/error.h"

namespace convoy::study {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Observations = std::vector<ScalingObservation>;

double law(double x1, double s, double k, double n) { return x1 * n / (1 + s * (n - 1) + k * n * (n - 1)); }

Observations exact(double x1, double s, double k, const std::vector<std::int64_t>& workers) {
  Observations observations;
  for (const std::int64_t n : workers) observations.push_back({n, law(x1, s, k, static_cast<double>(n))});
  return observations;
}

ScalingFit fit_of(ScalingLaw which, const Observations& observations) {
  ScalingFitResult result = fit_scaling(which, observations);
  EXPECT_TRUE(result.fit) << result.reason;
  return result.fit.value_or(ScalingFit());
}

TEST(ScalingFit, GivesAmdahlsParametersBack) {
  const ScalingFit fit = fit_of(ScalingLaw::amdahl, exact(100, 0.1, 0, {1, 2, 4, 8}));
  EXPECT_NEAR(fit.single_throughput.value, 100, 1e-9);
  EXPECT_NEAR(fit.serial_share.value, 0.1, 1e-12);
  EXPECT_EQ(fit.crosstalk.value, 0);
  EXPECT_FALSE(fit.knee);
  EXPECT_NEAR(fit.rms_relative_error, 0, 1e-12);
  EXPECT_EQ(fit.observations, 4);
  EXPECT_NEAR(predict(fit, 64).value, law(100, 0.1, 0, 64), 1e-6);
}

TEST(ScalingFit, GivesTheUniversalLawsParametersAndKneeBack) {
  const ScalingFit fit = fit_of(ScalingLaw::universal, exact(50, 0.05, 0.01, {1, 2, 3, 8, 16}));
  EXPECT_NEAR(fit.single_throughput.value, 50, 1e-9);
  EXPECT_NEAR(fit.serial_share.value, 0.05, 1e-10);
  EXPECT_NEAR(fit.crosstalk.value, 0.01, 1e-12);
  ASSERT_TRUE(fit.knee);
  EXPECT_NEAR(fit.knee->value, std::sqrt(0.95 / 0.01), 1e-6);
  EXPECT_GT(predict(fit, 10).value, predict(fit, 11).value);
  EXPECT_GT(predict(fit, 10).value, predict(fit, 9).value);
}

TEST(ScalingFit, OneWorkerNeedNotBeAmongThem) {
  const ScalingFit fit = fit_of(ScalingLaw::universal, exact(50, 0.05, 0.001, {4, 8, 16, 32, 64}));
  EXPECT_NEAR(fit.single_throughput.value, 50, 1e-6);
  EXPECT_NEAR(fit.serial_share.value, 0.05, 1e-8);
}

// With two numbers of workers the law goes through both, each by itself: with z = X / N the best value of N / X is
// sum z / sum z^2, and its relative variance is sigma^2 * sum z^2 / (sum z)^2. Here the last factor is 0.505 for both
// and sigma^2 is 0.04 / 2.02 (the residuals of each are 2 - 1 / 0.505), so relative variances are 0.01.
TEST(ScalingFit, IntervalsAreStudentsWithObservationsLessParametersAsFreedom) {
  const ScalingFit fit = fit_of(ScalingLaw::amdahl, {{1, 90}, {1, 110}, {2, 144}, {2, 176}});
  constexpr double kT = 4.302653;  // 95 %, two degrees of freedom
  EXPECT_NEAR(fit.single_throughput.value, 101, 1e-9);
  ASSERT_TRUE(fit.single_throughput.interval_95);
  EXPECT_NEAR(fit.single_throughput.interval_95->low, 101 - kT * 101 * 0.1, 1e-3);
  EXPECT_NEAR(fit.single_throughput.interval_95->high, 101 + kT * 101 * 0.1, 1e-3);
  EXPECT_NEAR(fit.serial_share.value, 0.25, 1e-9);
  ASSERT_TRUE(fit.serial_share.interval_95);
  EXPECT_EQ(fit.serial_share.interval_95->low, 0);  // cut: 0.25 - 0.76
  EXPECT_NEAR(fit.serial_share.interval_95->high, 0.25 + kT * 1.25 * std::sqrt(0.02), 1e-4);
  const Estimate two = predict(fit, 2);
  EXPECT_NEAR(two.value, 2 * 80.8, 1e-9);
  ASSERT_TRUE(two.interval_95);
  EXPECT_NEAR(two.interval_95->low, 2 * 80.8 / (1 + kT * 0.1), 1e-3);
  EXPECT_NEAR(two.interval_95->high, 2 * 80.8 / (1 - kT * 0.1), 1e-3);
  EXPECT_THAT(fit.notes, IsEmpty());
}

TEST(ScalingFit, FewObservationsGiveNoIntervalsButSayWhy) {
  const ScalingFit amdahl = fit_of(ScalingLaw::amdahl, {{1, 100}, {2, 180}, {4, 330}});
  EXPECT_FALSE(amdahl.serial_share.interval_95);
  EXPECT_FALSE(predict(amdahl, 8).interval_95);
  EXPECT_THAT(amdahl.notes, ElementsAre(HasSubstr("3 observations, at least 4")));
  const ScalingFit universal = fit_of(ScalingLaw::universal, exact(50, 0.05, 0.01, {1, 2, 4, 8}));
  EXPECT_FALSE(universal.crosstalk.interval_95);
  ASSERT_TRUE(universal.knee);
  EXPECT_FALSE(universal.knee->interval_95);
}

TEST(ScalingFit, BetterThanLinearIsHeldAtTheBound) {
  const ScalingFit fit = fit_of(ScalingLaw::universal, {{1, 100}, {2, 210}, {4, 430}, {8, 900}, {8, 880}});
  EXPECT_EQ(fit.serial_share.value, 0);
  EXPECT_EQ(fit.crosstalk.value, 0);
  EXPECT_FALSE(fit.knee);
  EXPECT_THAT(fit.notes, ElementsAre(HasSubstr("no knee within reach")));
  ASSERT_TRUE(fit.crosstalk.interval_95);
  EXPECT_EQ(fit.crosstalk.interval_95->low, 0);
  // s and k at zero leave the mean of what a worker does, by relative errors.
  double sum = 0;
  double squares = 0;
  for (const double z : {100.0, 105.0, 107.5, 112.5, 110.0}) {
    sum += z;
    squares += z * z;
  }
  EXPECT_NEAR(fit.single_throughput.value, squares / sum, 1e-9);
}

TEST(ScalingFit, AKneeThatMayNotExistHasNoUpperEnd) {
  // Amdahl's law with noise of 2 %: crosstalk is not distinguishable from none.
  Observations noisy;
  const double signs[] = {1, -1, -1, 1, 1, -1, -1, 1, -1, -1};
  int i = 0;
  for (const std::int64_t n : {1, 1, 2, 2, 4, 4, 8, 8, 16, 16}) {
    noisy.push_back({n, law(100, 0.05, 0.00002, static_cast<double>(n)) * (1 + 0.02 * signs[i++])});
  }
  const ScalingFit fit = fit_of(ScalingLaw::universal, noisy);
  ASSERT_TRUE(fit.crosstalk.interval_95);
  EXPECT_EQ(fit.crosstalk.interval_95->low, 0);
  ASSERT_TRUE(fit.knee);
  ASSERT_TRUE(fit.knee->interval_95);
  EXPECT_TRUE(std::isinf(fit.knee->interval_95->high));
  EXPECT_LE(fit.knee->interval_95->low, fit.knee->value);
}

TEST(ScalingFit, AClearKneeLiesInItsInterval) {
  Observations noisy;
  const double signs[] = {1, -1, -1, 1, 1, -1, -1, 1, 1, -1};
  int i = 0;
  for (const std::int64_t n : {1, 1, 2, 2, 4, 4, 8, 8, 16, 16}) {
    noisy.push_back({n, law(100, 0.05, 0.02, static_cast<double>(n)) * (1 + 0.02 * signs[i++])});
  }
  const ScalingFit fit = fit_of(ScalingLaw::universal, noisy);
  ASSERT_TRUE(fit.knee && fit.knee->interval_95);
  const Interval& interval = *fit.knee->interval_95;
  const double truth = std::sqrt(0.95 / 0.02);
  EXPECT_LT(interval.low, truth);
  EXPECT_GT(interval.high, truth);
  EXPECT_LT(interval.high / interval.low, 2);
  EXPECT_NEAR(fit.rms_relative_error, 0.02, 0.002);
}

TEST(ScalingFit, WorkersThatOnlyHarmHaveTheirKneeAtOne) {
  const ScalingFit fit = fit_of(ScalingLaw::universal, exact(100, 1.2, 0.1, {1, 2, 4, 8, 16}));
  ASSERT_TRUE(fit.knee);
  EXPECT_EQ(fit.knee->value, 1);
  ASSERT_TRUE(fit.knee->interval_95);
  EXPECT_EQ(*fit.knee->interval_95, (Interval{1, 1}));  // the data are exact
  EXPECT_NEAR(fit.serial_share.value, 1.2, 1e-9);
}

TEST(ScalingFit, RelativeErrorsCount) {
  // The same observations in another unit, and with the large ones off by as many per cent as the small ones.
  const ScalingFit fit = fit_of(ScalingLaw::amdahl, {{1, 99}, {1, 101}, {64, 99 * 64}, {64, 101 * 64}});
  EXPECT_NEAR(fit.single_throughput.value, 100.01, 1e-9);
  EXPECT_NEAR(fit.serial_share.value, 0, 1e-12);
  EXPECT_NEAR(fit.rms_relative_error, 0.01, 1e-4);
}

TEST(ScalingFit, TooFewNumbersOfWorkersAreARefusalInWords) {
  const ScalingFitResult amdahl = fit_scaling(ScalingLaw::amdahl, Observations{{2, 10}, {2, 11}, {2, 12}});
  EXPECT_FALSE(amdahl.fit);
  EXPECT_THAT(amdahl.reason, HasSubstr("at least 2 different numbers of workers, there are 1"));
  EXPECT_FALSE(fit_scaling(ScalingLaw::universal, Observations{{1, 10}, {2, 11}}).fit);
  EXPECT_FALSE(fit_scaling(ScalingLaw::amdahl, Observations{}).fit);
}

TEST(ScalingFit, WhatIsNoThroughputIsRefused) {
  EXPECT_THROW((void)fit_scaling(ScalingLaw::amdahl, Observations{{1, 0}, {2, 1}}), InternalError);
  EXPECT_THROW((void)fit_scaling(ScalingLaw::amdahl, Observations{{0, 1}, {2, 1}}), InternalError);
}

}  // namespace
}  // namespace convoy::study
