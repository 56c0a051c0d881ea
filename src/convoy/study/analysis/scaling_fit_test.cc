#include "convoy/study/analysis/scaling_fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

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

// The expected numbers were computed outside Convoy by the textbook's formulas: with rows (X / N, (N - 1) X / N) the
// covariance is the variance of the residuals times the inverse of the matrix of their products.
TEST(ScalingFit, IntervalsAreStudentsWithObservationsLessParametersAsFreedom) {
  const ScalingFit fit = fit_of(ScalingLaw::amdahl, {{1, 90}, {1, 110}, {2, 144}, {2, 176}, {4, 210}, {4, 260}});
  EXPECT_NEAR(fit.single_throughput.value, 100.519471, 1e-6);
  ASSERT_TRUE(fit.single_throughput.interval_95);
  EXPECT_NEAR(fit.single_throughput.interval_95->low, 78.37503, 1e-4);
  EXPECT_NEAR(fit.single_throughput.interval_95->high, 122.66391, 1e-4);
  EXPECT_NEAR(fit.serial_share.value, 0.232902, 1e-6);
  ASSERT_TRUE(fit.serial_share.interval_95);
  EXPECT_NEAR(fit.serial_share.interval_95->low, 0.036856, 1e-5);
  EXPECT_NEAR(fit.serial_share.interval_95->high, 0.428948, 1e-5);
  const Estimate four = predict(fit, 4);
  EXPECT_NEAR(four.value, 236.69658, 1e-4);
  ASSERT_TRUE(four.interval_95);
  EXPECT_NEAR(four.interval_95->low, 192.79923, 1e-3);
  EXPECT_NEAR(four.interval_95->high, 306.47645, 1e-3);
  EXPECT_THAT(fit.notes, IsEmpty());
}

TEST(ScalingFit, NeedsMoreSizesThanParameters) {
  // Any two sizes lie exactly on a law with two parameters, so a residual of zero says nothing.
  const ScalingFitResult two = fit_scaling(ScalingLaw::amdahl, Observations{{1, 100}, {1, 101}, {2, 180}, {2, 181}});
  EXPECT_FALSE(two.fit);
  EXPECT_THAT(two.reason, HasSubstr("Amdahl's law: it has 2 parameters and needs more different sizes than that, at "
                                    "least 3; there are 2"));
  EXPECT_FALSE(fit_scaling(ScalingLaw::universal, exact(50, 0.05, 0.01, {1, 1, 2, 2, 4, 4})).fit);
  EXPECT_THAT(fit_scaling(ScalingLaw::amdahl, Observations{{2, 10}, {2, 11}, {2, 12}}).reason, HasSubstr("there is 1"));
  EXPECT_FALSE(fit_scaling(ScalingLaw::amdahl, Observations{}).fit);
}

TEST(ScalingFit, NeedsRunsToSpareForAnInterval) {
  const ScalingFitResult few = fit_scaling(ScalingLaw::amdahl, Observations{{1, 100}, {2, 180}, {4, 330}});
  EXPECT_FALSE(few.fit);
  EXPECT_THAT(few.reason, HasSubstr("needs at least 4 runs for an interval; there are 3"));
  EXPECT_FALSE(fit_scaling(ScalingLaw::universal, exact(50, 0.05, 0.01, {1, 2, 4, 8})).fit);
  EXPECT_TRUE(fit_scaling(ScalingLaw::universal, exact(50, 0.05, 0.01, {1, 2, 4, 8, 8})).fit);
}

TEST(ScalingFit, AShareAboveOneIsNoFit) {
  // Each doubling halves the throughput, so s would be 3 or more.
  const ScalingFitResult result =
      fit_scaling(ScalingLaw::amdahl, Observations{{1, 100}, {1, 102}, {2, 50}, {2, 51}, {4, 25}, {4, 26}});
  EXPECT_FALSE(result.fit);
  EXPECT_THAT(result.reason, HasSubstr("no share is larger than 1"));
  EXPECT_THAT(fit_scaling(ScalingLaw::universal, exact(100, 1.2, 0.1, {1, 2, 4, 8, 16})).reason,
              HasSubstr("no share is larger than 1"));
}

TEST(ScalingFit, FasterThanLinearBeyondDoubtIsNoFit) {
  const ScalingFitResult result =
      fit_scaling(ScalingLaw::amdahl, Observations{{1, 100}, {1, 101}, {2, 250}, {2, 251}, {4, 600}, {4, 601}});
  EXPECT_FALSE(result.fit);
  EXPECT_THAT(result.reason, HasSubstr("faster than linear"));
}

TEST(ScalingFit, AShareThatMayBeOneIsHeldAtTheBound) {
  // More workers gain nothing, with noise of 2 %: the share without bounds is a little above 1.
  const ScalingFit fit =
      fit_of(ScalingLaw::amdahl, {{1, 101}, {1, 99}, {2, 99}, {2, 101}, {4, 98}, {4, 100}, {8, 97}, {8, 100}});
  EXPECT_EQ(fit.serial_share.value, 1);
  ASSERT_TRUE(fit.serial_share.interval_95);
  EXPECT_EQ(fit.serial_share.interval_95->high, 1);
  EXPECT_LT(fit.serial_share.interval_95->low, 1);
}

TEST(ScalingFit, AbsurdRatesAreNoFitAndNoDefect) {
  for (const double rate : {1e-320, 0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    const Observations observations = {{1, 100}, {2, 190}, {4, rate}, {4, 350}};
    for (const ScalingLaw law : {ScalingLaw::amdahl, ScalingLaw::universal}) {
      const ScalingFitResult result = fit_scaling(law, observations);
      EXPECT_FALSE(result.fit) << rate;
      EXPECT_THAT(result.reason, HasSubstr("is not a measurement")) << rate;
    }
  }
  EXPECT_FALSE(fit_scaling(ScalingLaw::amdahl, Observations{{1, 1e-300}, {2, 1e300}, {4, 1}, {8, 1e-9}}).fit);
  // Small numbers are fine: only the unit differs.
  const ScalingFit tiny = fit_of(ScalingLaw::amdahl, exact(1e-300, 0.1, 0, {1, 2, 4, 8}));
  EXPECT_NEAR(tiny.serial_share.value, 0.1, 1e-9);
  EXPECT_NEAR(tiny.single_throughput.value / 1e-300, 1, 1e-9);
  const ScalingFit huge = fit_of(ScalingLaw::amdahl, exact(1e300, 0.1, 0, {1, 2, 4, 8}));
  EXPECT_NEAR(huge.serial_share.value, 0.1, 1e-9);
}

TEST(ScalingFit, BetterThanLinearIsHeldAtTheBound) {
  const ScalingFit fit = fit_of(ScalingLaw::universal, {{1, 100}, {2, 210}, {4, 430}, {8, 900}, {8, 880}});
  EXPECT_EQ(fit.serial_share.value, 0);
  EXPECT_EQ(fit.crosstalk.value, 0);
  EXPECT_FALSE(fit.knee);
  EXPECT_THAT(fit.notes, ElementsAre(HasSubstr("no knee within reach")));
  ASSERT_TRUE(fit.crosstalk.interval_95);
  EXPECT_EQ(fit.crosstalk.interval_95->low, 0);
  // With s and k at zero, what is left is the mean throughput per worker, weighted by relative errors.
  double sum = 0;
  double squares = 0;
  for (const double z : {100.0, 105.0, 107.5, 112.5, 110.0}) {
    sum += z;
    squares += z * z;
  }
  EXPECT_NEAR(fit.single_throughput.value, squares / sum, 1e-9);
}

TEST(ScalingFit, AKneeThatMayNotExistHasNoUpperEnd) {
  // Amdahl's law with noise of 2 %: crosstalk cannot be distinguished from none.
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

TEST(ScalingFit, RelativeErrorsCount) {
  // The same observations in another unit, where the large ones are off by the same percentage as the small ones.
  const ScalingFit fit =
      fit_of(ScalingLaw::amdahl, {{1, 99}, {1, 101}, {8, 99 * 8}, {8, 101 * 8}, {64, 99 * 64}, {64, 101 * 64}});
  EXPECT_NEAR(fit.single_throughput.value, 100.01, 1e-9);
  EXPECT_NEAR(fit.serial_share.value, 0, 1e-12);
  EXPECT_NEAR(fit.rms_relative_error, 0.01, 1e-4);
}

}  // namespace
}  // namespace convoy::study
