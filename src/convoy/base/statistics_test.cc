#include "convoy/base/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "convoy/base/error.h"
#include "convoy/base/rng.h"

namespace convoy {
namespace {

using Values = std::vector<double>;

TEST(Statistics, MedianOfOddAndEvenCounts) {
  EXPECT_DOUBLE_EQ(median(Values{9, 1, 5}), 5);
  EXPECT_DOUBLE_EQ(median(Values{9, 1, 5, 7}), 6);
  EXPECT_DOUBLE_EQ(median(Values{4}), 4);
}

TEST(Statistics, StandardDeviationDividesByOneLess) {
  // The squared distances from the mean, 5, sum to 32.
  EXPECT_DOUBLE_EQ(sample_standard_deviation(Values{2, 4, 4, 4, 5, 5, 7, 9}), std::sqrt(32.0 / 7.0));
  EXPECT_DOUBLE_EQ(sample_standard_deviation(Values{3}), 0);
}

TEST(Statistics, StandardDeviationKeepsItsDigitsFarFromZero) {
  EXPECT_NEAR(sample_standard_deviation(Values{1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16}), std::sqrt(30.0), 1e-9);
}

// R: quantile(c(15, 20, 35, 40, 50), c(.05, .3, .4, .5, 1))
TEST(Statistics, QuantilesInterpolateAsInR) {
  const Values values = {50, 15, 40, 20, 35};
  EXPECT_DOUBLE_EQ(quantile(values, 0.0), 15);
  EXPECT_DOUBLE_EQ(quantile(values, 0.05), 16);
  EXPECT_DOUBLE_EQ(quantile(values, 0.3), 23);
  EXPECT_DOUBLE_EQ(quantile(values, 0.4), 29);
  EXPECT_DOUBLE_EQ(quantile(values, 1.0), 50);
  EXPECT_DOUBLE_EQ(quantile(Values{7}, 0.9), 7);
}

// Student's table: t(0.975) is 12.706 at one degree of freedom, 2.776 at four, 1.984 at ninety-nine.
TEST(Statistics, IntervalUsesStudentsTable) {
  EXPECT_NEAR(t_half_width(Values{1, 3}, 0.95), 12.706 * std::sqrt(2.0) / std::sqrt(2.0), 1e-3);
  EXPECT_NEAR(t_half_width(Values{1, 2, 3, 4, 5}, 0.95), 2.776 * std::sqrt(2.5 / 5.0), 1e-3);
  Values hundred(100);
  for (std::size_t i = 0; i < hundred.size(); ++i) {
    hundred[i] = i % 2 == 0 ? -1.0 : 1.0;
  }
  EXPECT_NEAR(t_half_width(hundred, 0.95), 1.984 * std::sqrt(100.0 / 99.0) / 10.0, 1e-4);
  EXPECT_NEAR(t_half_width(Values{1, 2, 3, 4, 5}, 0.99), 4.604 * std::sqrt(0.5), 1e-3);
}

TEST(Statistics, TValuesAreThoseOfTheTable) {
  EXPECT_NEAR(t_value(0.95, 1), 12.706, 1e-3);
  EXPECT_NEAR(t_value(0.95, 10), 2.228, 1e-3);
  EXPECT_NEAR(t_value(0.90, 5), 2.015, 1e-3);
  EXPECT_THROW((void)t_value(0.95, 0), InternalError);
}

TEST(Statistics, SummaryGathersThem) {
  const Summary summary = summarize(Values{-4, -1, -1, -2});
  EXPECT_EQ(summary.count, 4);
  EXPECT_DOUBLE_EQ(summary.mean, -2);
  EXPECT_DOUBLE_EQ(summary.median, -1.5);
  EXPECT_DOUBLE_EQ(summary.standard_deviation, std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(summary.cv, std::sqrt(2.0) / 2.0);
  EXPECT_DOUBLE_EQ(summary.minimum, -4);
  EXPECT_DOUBLE_EQ(summary.maximum, -1);
  const double half = t_half_width(Values{-4, -1, -1, -2}, 0.95);
  EXPECT_DOUBLE_EQ(summary.low_95, summary.mean - half);
  EXPECT_DOUBLE_EQ(summary.high_95, summary.mean + half);
  EXPECT_EQ(summary.interval_from, IntervalBasis::values);
}

TEST(Statistics, OneValueHasNoKnownSpread) {
  const Summary summary = summarize(Values{5});
  EXPECT_DOUBLE_EQ(summary.mean, 5);
  EXPECT_DOUBLE_EQ(summary.standard_deviation, 0);
  EXPECT_FALSE(summary.has_interval());
  EXPECT_TRUE(std::isinf(summary.high_95));
}

TEST(Statistics, ZerosHaveNoSpread) { EXPECT_DOUBLE_EQ(summarize(Values{0, 0, 0}).cv, 0); }

TEST(Statistics, NothingIsRefused) {
  EXPECT_THROW((void)summarize(Values{}), InternalError);
  EXPECT_THROW((void)mean(Values{}), InternalError);
  EXPECT_THROW((void)quantile(Values{}, 0.5), InternalError);
  EXPECT_THROW((void)quantile(Values{1}, 1.5), InternalError);
}

TEST(Statistics, TheIntervalOfPositiveValuesStaysAboveZero) {
  const Summary two = summarize(Values{100, 300});
  const double ratio = std::exp(12.7062 * std::log(3.0) / 2);  // deviation log(3) / sqrt(2), over sqrt(2)
  EXPECT_NEAR(two.low_95, 200 / ratio, 1e-3);
  EXPECT_NEAR(two.high_95 / (200 * ratio), 1, 1e-3);
  EXPECT_GT(two.low_95, 0);
}

TEST(Statistics, IndependentValuesCountFully) {
  Values alternating;
  for (int i = 0; i < 100; ++i) alternating.push_back(i % 2);
  EXPECT_EQ(effective_count(alternating), 100);
  EXPECT_EQ(effective_count(Values{5, 5, 5}), 3);
  EXPECT_EQ(effective_count(Values{5}), 1);
}

TEST(Statistics, ValuesThatFollowEachOtherCountLess) {
  // Each value is repeated ten times, so there are about as many independent values as draws.
  Rng rng(1);
  Values blocks;
  for (int block = 0; block < 200; ++block) {
    const double value = rng.uniform();
    for (int i = 0; i < 10; ++i) blocks.push_back(value);
  }
  EXPECT_GT(effective_count(blocks), 120);
  EXPECT_LT(effective_count(blocks), 330);
}

}  // namespace
}  // namespace convoy
