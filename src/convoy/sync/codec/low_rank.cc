#include "convoy/sync/codec/low_rank.h"

#include <algorithm>
#include <cmath>

#include "convoy/base/vector_clones.h"

namespace convoy {
namespace {

constexpr std::size_t kSumLanes = 16;

// Adds in a fixed order: first the products i, i + 16, i + 32, ... for each i, then these sums.
CONVOY_VECTOR_CLONES float dot(const float* a, const float* b, std::size_t count) {
  float lanes[kSumLanes] = {};
  std::size_t i = 0;
  for (; i + kSumLanes <= count; i += kSumLanes) {
    for (std::size_t lane = 0; lane < kSumLanes; ++lane) lanes[lane] += a[i + lane] * b[i + lane];
  }
  for (; i < count; ++i) lanes[i % kSumLanes] += a[i] * b[i];
  float sum = 0;
  for (const float lane : lanes) sum += lane;
  return sum;
}

CONVOY_VECTOR_CLONES void add_multiple(float factor, const float* __restrict values, float* __restrict sum,
                                       std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) sum[i] += factor * values[i];
}

double exact_dot(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

// If less than this share of a column is left after removing the directions of the columns before it, the rest is only
// rounding error.
constexpr double kDependent = 1e-6;

}  // namespace

void multiply(const MatrixView& matrix, std::span<const float> right, std::span<float> left, std::size_t rank) {
  for (std::size_t r = 0; r < matrix.rows; ++r) {
    for (std::size_t k = 0; k < rank; ++k) {
      left[k * matrix.rows + r] = dot(matrix.row(r).data(), right.data() + k * matrix.columns, matrix.columns);
    }
  }
}

void multiply_transposed(const MatrixView& matrix, std::span<const float> left, std::span<float> right,
                         std::size_t rank) {
  std::ranges::fill(right, 0.0F);
  for (std::size_t r = 0; r < matrix.rows; ++r) {
    for (std::size_t k = 0; k < rank; ++k) {
      add_multiple(left[k * matrix.rows + r], matrix.row(r).data(), right.data() + k * matrix.columns, matrix.columns);
    }
  }
}

void product_row(std::span<const float> left, std::span<const float> right, std::size_t rank, std::size_t rows,
                 std::size_t r, std::span<float> row) {
  std::ranges::fill(row, 0.0F);
  for (std::size_t k = 0; k < rank; ++k) {
    add_multiple(left[k * rows + r], right.data() + k * row.size(), row.data(), row.size());
  }
}

void orthonormalise(std::span<float> columns, std::size_t length, std::size_t rank) {
  for (std::size_t k = 0; k < rank; ++k) {
    const std::span<float> column = columns.subspan(k * length, length);
    const double before = std::sqrt(exact_dot(column, column));
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t earlier = 0; earlier < k; ++earlier) {
        const std::span<const float> other = columns.subspan(earlier * length, length);
        const double along = exact_dot(column, other);
        for (std::size_t i = 0; i < length; ++i) column[i] = static_cast<float>(column[i] - along * other[i]);
      }
    }
    const double after = std::sqrt(exact_dot(column, column));
    const double factor = after <= kDependent * before ? 0.0 : 1 / after;
    for (float& value : column) value = static_cast<float>(value * factor);
  }
}

}  // namespace convoy
