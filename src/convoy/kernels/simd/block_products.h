// The loops of products.h, for files that are compiled once for each instruction set.
#pragma once

#include <algorithm>

#include "convoy/kernels/simd/cells.h"
#include "convoy/kernels/simd/products.h"

namespace convoy::kernels::simd {
inline namespace CONVOY_SIMD {

// Accumulators for kRows rows and kColumns blocks of channels stay in registers.
#if defined(__AVX512F__)
constexpr int kMostRows = 14;
#else
constexpr int kMostRows = 6;
#endif

template <int kRows, int kColumns, typename Cell>
void multiply_rows(const BlockProduct<Cell>& p, int first) {
  constexpr int kCells = kBlock / kNumbersIn<Cell>;
  Vector sums[kRows][kColumns];
  float* m = p.m + first * kBlock;
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (int c = 0; c < kColumns; ++c) sums[r][c] = p.accumulate ? load(m + c * p.m_column + r * kBlock) : Vector{};
  }
  for (int k = 0; k < p.blocks; ++k) {
    const Cell* v = p.v + k * p.v_block + first * kCells;
    const Cell* u = p.u + k * p.u_block;
    for (int l = 0; l < kCells; ++l) {
      // The rows that come next are too far apart for the processor to foresee them.
      if (l * kBlock < kRows * kCells) __builtin_prefetch(v + kRows * kCells + l * kBlock);
      RegisterOf<Cell> factors[kColumns];
#pragma GCC unroll 2
      for (int c = 0; c < kColumns; ++c) factors[c] = load(u + c * p.u_column + l * kBlock);
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
        const RegisterOf<Cell> value = all(v[r * kCells + l]);
#pragma GCC unroll 2
        for (int c = 0; c < kColumns; ++c) sums[r][c] = plus_product(sums[r][c], value, factors[c]);
      }
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (int c = 0; c < kColumns; ++c) store(m + c * p.m_column + r * kBlock, sums[r][c]);
  }
}

template <int kRows, int kColumns, typename Cell>
void multiply_rest(const BlockProduct<Cell>& p, int first, int rows) {
  if constexpr (kRows > 0) {
    if (rows == kRows) {
      multiply_rows<kRows, kColumns>(p, first);
    } else {
      multiply_rest<kRows - 1, kColumns>(p, first, rows);
    }
  }
}

template <int kColumns, typename Cell>
void multiply_columns(const BlockProduct<Cell>& p) {
  // Divided into shares of about the same size: a last share of a few rows would keep the units waiting for each other.
  const int shares = (p.rows + kMostRows - 1) / kMostRows;
  int first = 0;
  for (int s = 0; s < shares; ++s) {
    const int rows = (p.rows - first) / (shares - s);
    multiply_rest<kMostRows, kColumns>(p, first, rows);
    first += rows;
  }
}

// Some blocks of weights at a time, which stay in the first-level cache while all rows pass by.
template <int kColumns, typename Cell>
void multiply_in_parts(const BlockProduct<Cell>& product) {
  constexpr int kDepth = 8;
  BlockProduct<Cell> part = product;
  for (int k = 0; k < product.blocks; k += kDepth) {
    part.v = product.v + k * product.v_block;
    part.u = product.u + k * product.u_block;
    part.blocks = std::min(kDepth, product.blocks - k);
    part.accumulate = product.accumulate || k > 0;
    multiply_columns<kColumns>(part);
  }
}

// Flattened: calls for a few rows each take time.
template <typename Cell>
[[gnu::flatten]] void multiply(const BlockProduct<Cell>& product) {
  BlockProduct<Cell> part = product;
  for (int column = 0; column < product.columns; column += part.columns) {
    part.columns = product.columns - column >= 2 ? 2 : 1;
    part.u = product.u + column * product.u_column;
    part.m = product.m + column * product.m_column;
    if (part.columns == 2) {
      multiply_in_parts<2>(part);
    } else {
      multiply_in_parts<1>(part);
    }
  }
}

// Accumulators for kLanes of v's lanes and kColumns columns stay in registers.
// Meanwhile the rows at `next` are fetched.
template <int kLanes, int kColumns, typename Cell>
void correlate_lanes(const BlockCorrelation<Cell>& c, int first, const Cell* next) {
  Vector sums[kLanes][kColumns];
  float* const u = c.u + first * kBlock;
#pragma GCC unroll 16
  for (int l = 0; l < kLanes; ++l) {
#pragma GCC unroll 2
    for (int k = 0; k < kColumns; ++k) sums[l][k] = c.accumulate ? load(u + k * c.u_column + l * kBlock) : Vector{};
  }
  const Cell* v = c.v + first;
  const Cell* y = c.y;
  for (std::int64_t row = 0; row < c.rows; ++row, v += kBlock, y += kBlock) {
    __builtin_prefetch(next + row * kBlock);
    RegisterOf<Cell> factors[kColumns];
#pragma GCC unroll 2
    for (int k = 0; k < kColumns; ++k) factors[k] = load(y + k * c.y_column);
#pragma GCC unroll 16
    for (int l = 0; l < kLanes; ++l) {
      const RegisterOf<Cell> value = all(v[l]);
#pragma GCC unroll 2
      for (int k = 0; k < kColumns; ++k) sums[l][k] = plus_product(sums[l][k], value, factors[k]);
    }
  }
#pragma GCC unroll 16
  for (int l = 0; l < kLanes; ++l) {
#pragma GCC unroll 2
    for (int k = 0; k < kColumns; ++k) store(u + k * c.u_column + l * kBlock, sums[l][k]);
  }
}

// Two columns at once use each number of v twice, so that multiplying takes the time and not reading.
template <typename Cell>
void correlate(const BlockCorrelation<Cell>& correlation) {
  BlockCorrelation<Cell> part = correlation;
  for (int column = 0; column < correlation.columns; column += 2) {
    part.y = correlation.y + column * correlation.y_column;
    part.u = correlation.u + column * correlation.u_column;
    const bool last = column + 2 >= correlation.columns;
    const Cell* const next = last ? correlation.next : part.y + 2 * correlation.y_column;
    if (correlation.columns - column == 1) {
      correlate_lanes<kBlock, 1>(part, 0, next);
    } else {
      correlate_lanes<kBlock / 2, 2>(part, 0, next);
      correlate_lanes<kBlock / 2, 2>(part, kBlock / 2, last ? next : next + correlation.y_column);
    }
  }
}

template <typename Cell>
constexpr Products<Cell> kProductsOf{.multiply = multiply<Cell>, .correlate = correlate<Cell>};

}  // namespace CONVOY_SIMD
}  // namespace convoy::kernels::simd
