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
  std::int64_t spare = 0;  // degrees of freedom: values beyond the coefficients
  // The inverse of the columns' products with each other. Times the variance of a value it is the covariance of the
  // coefficients.
  std::vector<std::vector<double>> inverse;

  // With the variance that the residuals tell. Needs spare > 0.
  [[nodiscard]] double covariance(std::size_t i, std::size_t j) const;
};

// The coefficients whose sum of columns is nearest to `values`. Needs a column at least, all as long as `values`.
// Nothing when that does not decide them: columns depend on each other, or there are fewer values than columns.
[[nodiscard]] std::optional<LinearFit> fit_linear(std::span<const std::vector<double>> columns,
                                                  std::span<const double> values);

}  // namespace convoy
