// Linear least squares with a handful of coefficients.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace convoy {

struct LinearFit {
  std::vector<double> coefficients;  // one for each column
  double residual_squares = 0;
  std::int64_t spare = 0;  // degrees of freedom: how many more values than coefficients there are
  // The inverse of the matrix of the columns' dot products. Multiplied by the variance of a value it is the covariance
  // of the coefficients.
  std::vector<std::vector<double>> inverse;

  // The covariance of two coefficients, with the variance estimated from the residuals. Needs spare > 0.
  [[nodiscard]] double covariance(std::size_t i, std::size_t j) const;
};

// The coefficients for which the weighted sum of the columns is nearest to `values`. Needs at least one column; all are
// as long as `values`. No value when the coefficients are not determined: columns depend on each other, or there are
// fewer values than columns.
[[nodiscard]] std::optional<LinearFit> fit_linear(std::span<const std::vector<double>> columns,
                                                  std::span<const double> values);

}  // namespace convoy
