// Compiled once for each instruction set, like loops.cc.
#include "convoy/kernels/simd/products.h"

#include <algorithm>
#include "convoy/kernels/simd/square.h"
#include "convoy/kernels/simd/vector.h"

namespace convoy::kernels::simd {
inline namespace CONVOY_SIMD {
namespace {

// Accumulators for kRows rows and kColumns blocks of channels stay in registers.
#if defined(__AVX512F__)
constexpr int kMostRows = 14;
#else
constexpr int kMostRows = 6;
#endif

template <int kRows, int kColumns>
void multiply_rows(const BlockProduct& p, int first) {
  Vector sums[kRows][kColumns];
  float* m = p.m + first * kBlock;
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (int c = 0; c < kColumns; ++c) sums[r][c] = p.accumulate ? load(m + c * p.m_column + r * kBlock) : Vector{};
  }
  for (int k = 0; k < p.blocks; ++k) {
    const float* v = p.v + k * p.v_block + first * kBlock;
    const float* u = p.u + k * p.u_block;
    for (int l = 0; l < kBlock; ++l) {
      // The rows that come next are too far apart for the processor to foresee them.
      if (l < kRows) __builtin_prefetch(v + (kRows + l) * kBlock);
      Vector factors[kColumns];
#pragma GCC unroll 2
      for (int c = 0; c < kColumns; ++c) factors[c] = load(u + c * p.u_column + l * kBlock);
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
        const Vector value = all(v[r * kBlock + l]);
#pragma GCC unroll 2
        for (int c = 0; c < kColumns; ++c) sums[r][c] += value * factors[c];
      }
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (int c = 0; c < kColumns; ++c) store(m + c * p.m_column + r * kBlock, sums[r][c]);
  }
}

template <int kRows, int kColumns>
void multiply_rest(const BlockProduct& p, int first, int rows) {
  if constexpr (kRows > 0) {
    if (rows == kRows) {
      multiply_rows<kRows, kColumns>(p, first);
    } else {
      multiply_rest<kRows - 1, kColumns>(p, first, rows);
    }
  }
}

template <int kColumns>
void multiply_columns(const BlockProduct& p) {
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
template <int kColumns>
void multiply_in_parts(const BlockProduct& product) {
  constexpr int kDepth = 8;
  BlockProduct part = product;
  for (int k = 0; k < product.blocks; k += kDepth) {
    part.v = product.v + k * product.v_block;
    part.u = product.u + k * product.u_block;
    part.blocks = std::min(kDepth, product.blocks - k);
    part.accumulate = product.accumulate || k > 0;
    multiply_columns<kColumns>(part);
  }
}

void multiply(const BlockProduct& product) {
  BlockProduct part = product;
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
template <int kLanes, int kColumns>
void correlate_lanes(const BlockCorrelation& c, int first, const float* next) {
  Vector sums[kLanes][kColumns];
  float* const u = c.u + first * kBlock;
#pragma GCC unroll 16
  for (int l = 0; l < kLanes; ++l) {
#pragma GCC unroll 2
    for (int k = 0; k < kColumns; ++k) sums[l][k] = c.accumulate ? load(u + k * c.u_column + l * kBlock) : Vector{};
  }
  const float* v = c.v + first;
  const float* y = c.y;
  for (std::int64_t row = 0; row < c.rows; ++row, v += kBlock, y += kBlock) {
    __builtin_prefetch(next + row * kBlock);
    Vector factors[kColumns];
#pragma GCC unroll 2
    for (int k = 0; k < kColumns; ++k) factors[k] = load(y + k * c.y_column);
#pragma GCC unroll 16
    for (int l = 0; l < kLanes; ++l) {
      const Vector value = all(v[l]);
#pragma GCC unroll 2
      for (int k = 0; k < kColumns; ++k) sums[l][k] += value * factors[k];
    }
  }
#pragma GCC unroll 16
  for (int l = 0; l < kLanes; ++l) {
#pragma GCC unroll 2
    for (int k = 0; k < kColumns; ++k) store(u + k * c.u_column + l * kBlock, sums[l][k]);
  }
}

// Two columns at once use each number of v twice, so that multiplying takes the time and not reading.
void correlate(const BlockCorrelation& correlation) {
  BlockCorrelation part = correlation;
  for (int column = 0; column < correlation.columns; column += 2) {
    part.y = correlation.y + column * correlation.y_column;
    part.u = correlation.u + column * correlation.u_column;
    const bool last = column + 2 >= correlation.columns;
    const float* const next = last ? correlation.next : part.y + 2 * correlation.y_column;
    if (correlation.columns - column == 1) {
      correlate_lanes<kBlock, 1>(part, 0, next);
    } else {
      correlate_lanes<kBlock / 2, 2>(part, 0, next);
      correlate_lanes<kBlock / 2, 2>(part, kBlock / 2, last ? next : next + correlation.y_column);
    }
  }
}

void copy_pixels(const float* from, std::int64_t from_step, float* to, std::int64_t to_step, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) store(to + i * to_step, load(from + i * from_step));
}

}  // namespace

extern const ProductLoops kProducts;
constinit const ProductLoops kProducts = {.block = kBlock,
                                          .multiply = multiply,
                                          .correlate = correlate,
                                          .copy_pixels = copy_pixels,
                                          .transpose = transpose<float>};

}  // namespace CONVOY_SIMD
}  // namespace convoy::kernels::simd
