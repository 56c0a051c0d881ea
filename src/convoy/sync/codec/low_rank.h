// The arithmetic of a matrix and two thin factors. Factors are kept column by column, each contiguous.
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

// left = matrix * right: for each of `rank` columns of right, matrix.columns long, one of left, matrix.rows long.
void multiply(const MatrixView& matrix, std::span<const float> right, std::span<float> left, std::size_t rank);

// right = transposed(matrix) * left.
void multiply_transposed(const MatrixView& matrix, std::span<const float> left, std::span<float> right,
                         std::size_t rank);

// row = row `r` of left * transposed(right), of a matrix of `rows` rows. The same bits on any processor.
void product_row(std::span<const float> left, std::span<const float> right, std::size_t rank, std::size_t rows,
                 std::size_t r, std::span<float> row);

// Makes the columns, each `length` long, orthogonal to each other and of length one, by Gram-Schmidt, twice. A column
// that depends on those before it becomes zero. The same bits on any processor.
void orthonormalise(std::span<float> columns, std::size_t length, std::size_t rank);

}  // namespace convoy
