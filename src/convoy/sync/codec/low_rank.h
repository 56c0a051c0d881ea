// The arithmetic of a matrix and two thin factors. Factors are stored column by column, each contiguous.
#pragma once

#include <cstddef>
#include <span>

namespace convoy {

// rows x columns, row-major.
struct MatrixView {
  std::span<float> values;
  std::size_t rows = 0;
  std::size_t columns = 0;

  [[nodiscard]] std::span<float> row(std::size_t r) const { return values.subspan(r * columns, columns); }
};

// left = matrix * right. Both factors have `rank` columns: those of right are matrix.columns long, those of left
// matrix.rows.
void multiply(const MatrixView& matrix, std::span<const float> right, std::span<float> left, std::size_t rank);

// right = transposed(matrix) * left.
void multiply_transposed(const MatrixView& matrix, std::span<const float> left, std::span<float> right,
                         std::size_t rank);

// Sets `row` to row `r` of left * transposed(right), a matrix with `rows` rows. The same bits on any processor.
void product_row(std::span<const float> left, std::span<const float> right, std::size_t rank, std::size_t rows,
                 std::size_t r, std::span<float> row);

// Makes the columns, each `length` long, orthogonal to each other and of length one, by Gram-Schmidt, done twice. A
// column that depends on those before it becomes zero. The same bits on any processor.
void orthonormalise(std::span<float> columns, std::size_t length, std::size_t rank);

}  // namespace convoy
