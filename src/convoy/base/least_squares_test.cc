#include "convoy/base/least_squares.h"

#include <gtest/gtest.h>

#include <vector>

#include "convoy/base/error.h"

namespace convoy {
namespace {

using Columns = std::vector<std::vector<double>>;
using Values = std::vector<double>;

TEST(LeastSquares, GivesAnExactPolynomialBack) {
  Columns columns(3);
  Values values;
  for (const double x : {1.0, 2.0, 4.0, 8.0, 1000.0}) {
    columns[0].push_back(1);
    columns[1].push_back(x);
    columns[2].push_back(x * x);
    values.push_back(3 - 2 * x + 0.5 * x * x);
  }
  const auto fit = fit_linear(columns, values);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->coefficients[0], 3, 1e-9);
  EXPECT_NEAR(fit->coefficients[1], -2, 1e-9);
  EXPECT_NEAR(fit->coefficients[2], 0.5, 1e-12);
  EXPECT_NEAR(fit->residual_squares, 0, 1e-15);
  EXPECT_EQ(fit->spare, 2);
}

// The line through (1, 1), (2, 3), (3, 2), (4, 5): slope 1.1, intercept 0, residuals -0.1, 0.8, -1.3, 0.6, whose
// squares sum to 2.7; the slope's variance is 2.7 / 2 / 5, the intercept's 2.7 / 2 * 30 / (4 * 5), their covariance
// -2.5 times the slope's variance.
TEST(LeastSquares, LineAndItsCovarianceAreThoseOfTheTextbook) {
  const auto fit = fit_linear(Columns{{1, 1, 1, 1}, {1, 2, 3, 4}}, Values{1, 3, 2, 5});
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->coefficients[0], 0, 1e-12);
  EXPECT_NEAR(fit->coefficients[1], 1.1, 1e-12);
  EXPECT_NEAR(fit->residual_squares, 2.7, 1e-12);
  EXPECT_NEAR(fit->covariance(1, 1), 0.27, 1e-12);
  EXPECT_NEAR(fit->covariance(0, 0), 1.35 * 1.5, 1e-12);
  EXPECT_NEAR(fit->covariance(0, 1), -2.5 * 0.27, 1e-12);
}

TEST(LeastSquares, WhatIsNotDecidedIsNotGiven) {
  EXPECT_FALSE(fit_linear(Columns{{1, 1, 1}, {2, 2, 2}}, Values{1, 2, 3}));
  EXPECT_FALSE(fit_linear(Columns{{1}, {2}}, Values{1}));
  EXPECT_FALSE(fit_linear(Columns{{0, 0}}, Values{1, 2}));
}

TEST(LeastSquares, AnExactlyDecidedFitHasNoCovariance) {
  const auto fit = fit_linear(Columns{{1, 1}, {0, 2}}, Values{1, 2});
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->spare, 0);
  EXPECT_THROW((void)fit->covariance(0, 0), InternalError);
}

TEST(LeastSquares, ColumnsOfAnotherLengthAreRefused) {
  EXPECT_THROW((void)fit_linear(Columns{{1, 2}, {1}}, Values{1, 2}), InternalError);
}

}  // namespace
}  // namespace convoy
