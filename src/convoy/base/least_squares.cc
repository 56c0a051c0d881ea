#include "convoy/base/least_squares.h"

#include <cmath>
#include <numeric>

#include "convoy/base/check.h"

namespace convoy {

namespace {

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;

// A column counts as dependent on the columns before it when less than this share of its length is left after their
// directions have been removed.
constexpr double kDependent = 1e-10;

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Removes from `column` its component along `unit`; returns the size of that component.
double remove_along(const Vector& unit, Vector& column) {
  const double amount = dot(unit, column);
  for (std::size_t i = 0; i < column.size(); ++i) column[i] -= amount * unit[i];
  return amount;
}

void scale(Vector& column, double factor) {
  for (double& value : column) value *= factor;
}

// The columns as combinations of orthogonal unit columns: column j is the sum over i <= j of units[i] * parts[i][j].
struct Factors {
  Matrix units;
  Matrix parts;
};

// Gram-Schmidt, done twice, which leaves no error worth mentioning. Solving the normal equations would lose half of the
// digits. No value when the columns depend on each other.
std::optional<Factors> factorize(std::span<const Vector> columns) {
  Factors factors{{}, Matrix(columns.size(), Vector(columns.size(), 0.0))};
  for (std::size_t j = 0; j < columns.size(); ++j) {
    Vector rest = columns[j];
    const double length = std::sqrt(dot(rest, rest));
    for (int round = 0; round < 2; ++round) {
      for (std::size_t i = 0; i < j; ++i) factors.parts[i][j] += remove_along(factors.units[i], rest);
    }
    const double left = std::sqrt(dot(rest, rest));
    if (!(left > kDependent * length)) return std::nullopt;
    factors.parts[j][j] = left;
    scale(rest, 1 / left);
    factors.units.push_back(std::move(rest));
  }
  return factors;
}

// Solves parts * x = right by back substitution; `parts` is upper triangular.
Vector solve(const Matrix& parts, Vector right) {
  for (std::size_t i = right.size(); i-- > 0;) {
    for (std::size_t j = i + 1; j < right.size(); ++j) right[i] -= parts[i][j] * right[j];
    right[i] /= parts[i][i];
  }
  return right;
}

Matrix inverse_of_products(const Matrix& parts) {
  const std::size_t count = parts.size();
  Matrix inverse_columns;
  for (std::size_t j = 0; j < count; ++j) {
    Vector unit(count, 0.0);
    unit[j] = 1;
    inverse_columns.push_back(solve(parts, std::move(unit)));
  }
  Matrix products(count, Vector(count, 0.0));
  for (const Vector& column : inverse_columns) {
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < count; ++j) products[i][j] += column[i] * column[j];
    }
  }
  return products;
}

}  // namespace

double LinearFit::covariance(std::size_t i, std::size_t j) const {
  CONVOY_CHECK(spare > 0);
  return inverse[i][j] * residual_squares / static_cast<double>(spare);
}

std::optional<LinearFit> fit_linear(std::span<const Vector> columns, std::span<const double> values) {
  CONVOY_CHECK(!columns.empty());
  for (const Vector& column : columns) CONVOY_CHECK_EQ(column.size(), values.size());
  if (values.size() < columns.size()) return std::nullopt;
  const std::optional<Factors> factors = factorize(columns);
  if (!factors) return std::nullopt;

  Vector rest(values.begin(), values.end());
  Vector along;
  for (const Vector& unit : factors->units) along.push_back(remove_along(unit, rest));
  return LinearFit{.coefficients = solve(factors->parts, std::move(along)),
                   .residual_squares = dot(rest, rest),
                   .spare = std::ssize(values) - std::ssize(columns),
                   .inverse = inverse_of_products(factors->parts)};
}

}  // namespace convoy
