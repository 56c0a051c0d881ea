// Products of matrices in blocks of channels, as convolutions need them. A row of a matrix is a pixel, a tile, or an
// input channel of weights; it has one block of channels for each k or column.
#pragma once

#include <cstdint>

namespace convoy::kernels::simd {

// m[column][row][lane] (+)= sum over blocks k and lanes l of v[k][row][l] u[column][k][l][lane].
struct BlockProduct {
  const float* v;
  const float* u;
  float* m;
  std::int64_t v_block, u_block;    // floats between one k and the next
  std::int64_t u_column, m_column;  // floats between columns
  int rows, blocks, columns;
  bool accumulate;
};

// u[column][l][lane] (+)= sum over rows of v[row][l] y[column][row][lane].
struct BlockCorrelation {
  const float* v;
  const float* y;
  float* u;
  std::int64_t y_column, u_column;  // floats between columns
  std::int64_t rows;
  int columns;
  bool accumulate;
  const float* next;  // what is read next, as many rows: it is fetched meanwhile
};

struct ProductLoops {
  int block;
  void (*multiply)(const BlockProduct& product);
  void (*correlate)(const BlockCorrelation& correlation);
  // Copies `count` pixels of one block of channels between places that are some floats apart.
  void (*copy_pixels)(const float* from, std::int64_t from_step, float* to, std::int64_t to_step, std::int64_t count);
  // Exchanges rows and columns of a square of one block of channels by another.
  void (*transpose)(const float* from, float* to);
};

// For this machine.
[[nodiscard]] const ProductLoops& product_loops();

}  // namespace convoy::kernels::simd
