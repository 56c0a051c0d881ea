// The arithmetic of a matrix and two thin factors. Factors are stored column by column, each contiguous.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace convoy {

// A matrix as kernels lay it out in memory: the element in row r and column c is at rows[r] + columns[c].
//
// Kernels keep some rows, or some columns, beside each other: these are the lanes, and they are computed together, at
// most eight at a time. The other side are the lines, which are gone through in the order of memory. So nothing has to
// be copied, and every piece of memory is read once from its beginning to its end.
class StoredMatrix {
 public:
  StoredMatrix(const std::vector<std::uint32_t>& rows, const std::vector<std::uint32_t>& columns);

  // left = matrix * right. Both factors have `rank` columns.
  void multiply(const float* values, std::span<const float> right, std::span<float> left, std::size_t rank) const;

  // right = transposed(matrix) * left.
  void multiply_transposed(const float* values, std::span<const float> left, std::span<float> right,
                           std::size_t rank) const;

  // Sets the matrix to left * transposed(right). The same bits on any processor.
  void set_product(std::span<const float> left, std::span<const float> right, std::size_t rank, float* values) const;

  // Sets the matrix at `rest` to the one at `values` less left * transposed(right).
  void set_rest(const float* values, std::span<const float> left, std::span<const float> right, std::size_t rank,
                float* rest) const;

  // Lanes that are neighbours in memory.
  struct Block {
    std::uint32_t first = 0;  // its first row or column
    std::uint32_t offset = 0;
    bool is_whole = false;  // eight lanes, otherwise one
  };
  struct Line {
    std::uint32_t index = 0;  // its row or column
    std::uint32_t offset = 0;
  };

 private:
  void sum_lines(const float* values, std::span<const float> factor, std::span<float> sums, std::size_t rank) const;
  void sum_lanes(const float* values, std::span<const float> factor, std::span<float> sums, std::size_t rank) const;
  void write(const float* from, std::span<const float> left, std::span<const float> right, std::size_t rank,
             float* values) const;

  bool lanes_are_rows_;
  std::vector<Block> blocks_;
  std::vector<Line> lines_;
  std::size_t lane_count_;
};

// Makes the columns, each `length` long, orthogonal to each other and of length one, by Gram-Schmidt, done twice. A
// column that depends on those before it becomes zero. The same bits on any processor.
void orthonormalise(std::span<float> columns, std::size_t length, std::size_t rank);

}  // namespace convoy
