#include "convoy/sync/codec/low_rank.h"

#include <algorithm>
#include <cmath>

#include "convoy/base/vector_clones.h"

namespace convoy {
namespace {

constexpr std::size_t kSumLanes = 16;

// Columns or rows are taken so many at a time, so that what they have in common is read once. No sum depends on it.
constexpr std::size_t kTogether = 4;

// Adds in a fixed order: first the products i, i + 16, i + 32, ... for each i, then these sums. `b` has `Columns`
// columns, `stride` apart, and so has `sums`.
template <std::size_t Columns>
[[gnu::always_inline]] inline void add_products(const float* a, const float* b, std::size_t stride, std::size_t count,
                                                float* sums) {
  float lanes[Columns][kSumLanes] = {};
  std::size_t i = 0;
  for (; i + kSumLanes <= count; i += kSumLanes) {
    for (std::size_t k = 0; k < Columns; ++k) {
      for (std::size_t lane = 0; lane < kSumLanes; ++lane) lanes[k][lane] += a[i + lane] * b[k * stride + i + lane];
    }
  }
  for (; i < count; ++i) {
    for (std::size_t k = 0; k < Columns; ++k) lanes[k][i % kSumLanes] += a[i] * b[k * stride + i];
  }
  for (std::size_t k = 0; k < Columns; ++k) {
    sums[k] = 0;
    for (const float lane : lanes[k]) sums[k] += lane;
  }
}

CONVOY_VECTOR_CLONES void dot(const float* a, const float* b, std::size_t count, float* sum) {
  add_products<1>(a, b, 0, count, sum);
}

CONVOY_VECTOR_CLONES void dot_together(const float* a, const float* b, std::size_t stride, std::size_t count,
                                       float* sums) {
  add_products<kTogether>(a, b, stride, count, sums);
}

CONVOY_VECTOR_CLONES void add_multiple(float factor, const float* __restrict values, float* __restrict sum,
                                       std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) sum[i] += factor * values[i];
}

// Adds a multiple of each of several arrays, which are `stride` apart, one after the other.
CONVOY_VECTOR_CLONES void add_multiples_together(const float* factors, const float* __restrict values,
                                                 std::size_t stride, float* __restrict sum, std::size_t count) {
  static_assert(kTogether == 4);
  const float* const second = values + stride;
  const float* const third = second + stride;
  const float* const fourth = third + stride;
  for (std::size_t i = 0; i < count; ++i) {
    sum[i] =
        (((sum[i] + factors[0] * values[i]) + factors[1] * second[i]) + factors[2] * third[i]) + factors[3] * fourth[i];
  }
}

// sum += the arrays times their factors, in their order. Array k begins at values + k * stride; its factor is
// factors[k * factor_stride].
void add_multiples(const float* factors, std::size_t factor_stride, const float* values, std::size_t stride,
                   std::size_t arrays, std::span<float> sum) {
  std::size_t k = 0;
  for (; k + kTogether <= arrays; k += kTogether) {
    float together[kTogether];
    for (std::size_t i = 0; i < kTogether; ++i) together[i] = factors[(k + i) * factor_stride];
    add_multiples_together(together, values + k * stride, stride, sum.data(), sum.size());
  }
  for (; k < arrays; ++k) add_multiple(factors[k * factor_stride], values + k * stride, sum.data(), sum.size());
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
    const float* const row = matrix.row(r).data();
    std::size_t k = 0;
    for (; k + kTogether <= rank; k += kTogether) {
      float sums[kTogether];
      dot_together(row, right.data() + k * matrix.columns, matrix.columns, matrix.columns, sums);
      for (std::size_t i = 0; i < kTogether; ++i) left[(k + i) * matrix.rows + r] = sums[i];
    }
    for (; k < rank; ++k) {
      dot(row, right.data() + k * matrix.columns, matrix.columns, &left[k * matrix.rows + r]);
    }
  }
}

void multiply_transposed(const MatrixView& matrix, std::span<const float> left, std::span<float> right,
                         std::size_t rank) {
  std::ranges::fill(right, 0.0F);
  for (std::size_t r = 0; r < matrix.rows; r += kTogether) {
    const std::size_t rows = std::min(kTogether, matrix.rows - r);
    for (std::size_t k = 0; k < rank; ++k) {
      add_multiples(left.data() + k * matrix.rows + r, 1, matrix.row(r).data(), matrix.columns, rows,
                    right.subspan(k * matrix.columns, matrix.columns));
    }
  }
}

void product_row(std::span<const float> left, std::span<const float> right, std::size_t rank, std::size_t rows,
                 std::size_t r, std::span<float> row) {
  std::ranges::fill(row, 0.0F);
  add_multiples(left.data() + r, rows, right.data(), row.size(), rank, row);
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
