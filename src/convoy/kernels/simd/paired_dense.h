// What a dense layer needs around products of pairs of bf16 numbers (products.h): its weights and samples as cells, and
// its sums as rows of results.
#pragma once

#include <cstdint>

#include "convoy/kernels/activation.h"
#include "convoy/kernels/simd/products.h"

namespace convoy::kernels::simd {

// The most columns, of a block of results each, that `interleave` takes at once.
inline constexpr int kMostPairedColumns = 8;

// Matrices of bf16 numbers are rows that begin `step` elements apart. Of a block's rows, those from `rows` on are zero.
struct PairedDenseLoops {
  // For sums along rows: cells[k][pair][row], for `blocks` blocks of numbers of a block's rows. `blocks` is even.
  void (*turn)(const BFloat16* weights, std::int64_t step, int rows, std::int64_t blocks, BFloat16Pair* cells);
  // For sums over rows: cells[column][pair of rows][lane], for `columns` blocks of numbers of a block's rows. `columns`
  // is even. A column's cells begin `distance` after those of the one before.
  void (*interleave)(const BFloat16* weights, std::int64_t step, int rows, std::int64_t columns, BFloat16Pair* cells,
                     std::int64_t distance);
  // result[row][lane] = activation(sums[row][lane] + bias[lane]) for the first `lanes` lanes; bias may be null.
  void (*finish)(const float* sums, std::int64_t rows, int lanes, const float* bias, Activation activation,
                 BFloat16* result, std::int64_t step);
  void (*finish_floats)(const float* sums, std::int64_t rows, int lanes, const float* bias, Activation activation,
                        float* result, std::int64_t step);
};

// Null if this machine has no instructions for pairs.
[[nodiscard]] const PairedDenseLoops* paired_dense_loops();

}  // namespace convoy::kernels::simd
