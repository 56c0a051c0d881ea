// Products of matrices in blocks of channels, as convolutions need them. A row of a matrix is a pixel, a tile, or an
// input channel of weights; it has one block of channels for each k or column.
//
// What is multiplied lies in cells of 32 bits. A cell is a float, or a pair of bf16 numbers: processors with bf16
// instructions multiply two pairs and add both products at once. The numbers of a pair belong to neighbours in what is
// summed over.
#pragma once

#include <cstdint>

#include "convoy/tensor/data_type.h"

namespace convoy::kernels::simd {

struct alignas(4) BFloat16Pair {
  BFloat16 first, second;
};

// How many numbers a cell has.
template <typename Cell>
inline constexpr int kNumbersIn = 1;
template <>
inline constexpr int kNumbersIn<BFloat16Pair> = 2;

// m[column][row][lane] (+)= sum over blocks k and cells l of v[k][row][l] u[column][k][l][lane].
template <typename Cell>
struct BlockProduct {
  const Cell* v;  // a row has a block's channels in block / kNumbersIn cells
  const Cell* u;
  float* m;
  std::int64_t v_block, u_block;    // cells between one k and the next
  std::int64_t u_column, m_column;  // cells between columns
  int rows, blocks, columns;
  bool accumulate;
};

// u[column][l][lane] (+)= sum over rows of v[row][l] y[column][row][lane].
template <typename Cell>
struct BlockCorrelation {
  const Cell* v;
  const Cell* y;
  float* u;
  std::int64_t y_column, u_column;  // cells between columns
  std::int64_t rows;                // of cells
  int columns;
  bool accumulate;
  const Cell* next;  // what is read next, as many rows: it is fetched meanwhile
};

template <typename Cell>
struct Products {
  void (*multiply)(const BlockProduct<Cell>& product);
  void (*correlate)(const BlockCorrelation<Cell>& correlation);
};

struct ProductLoops {
  int block;
  Products<float> floats;
  // Copies `count` pixels of one block of channels between places that are some floats apart.
  void (*copy_pixels)(const float* from, std::int64_t from_step, float* to, std::int64_t to_step, std::int64_t count);
  // Exchanges rows and columns of a square of one block of channels by another.
  void (*transpose)(const float* from, float* to);
};

// For this machine.
[[nodiscard]] const ProductLoops& product_loops();

// Those of cells of a type. Of pairs only where has_bf16_instructions().
template <typename Cell>
[[nodiscard]] const Products<Cell>& products_of();
template <>
[[nodiscard]] const Products<float>& products_of();
template <>
[[nodiscard]] const Products<BFloat16Pair>& products_of();

}  // namespace convoy::kernels::simd
