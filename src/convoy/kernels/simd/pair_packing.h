// What products of pairs of bf16 numbers (products.h) need around them: matrices and images as cells, and sums as
// results.
#pragma once

#include <cstdint>

#include "convoy/kernels/activation.h"
#include "convoy/kernels/simd/products.h"

namespace convoy::kernels::simd {

// Channels in a block, on processors with instructions for pairs.
inline constexpr std::int64_t kPairedBlock = 16;

// The most columns, of a block of results each, that `interleave` takes at once.
inline constexpr int kMostPairedColumns = 8;

struct PairPacking {
  // Of matrices, whose rows begin `step` elements apart: some rows of a block; those from `rows` on are zero.
  // For sums along rows: cells[k][pair][row], for `blocks` blocks of numbers of each row. `blocks` is even.
  void (*turn)(const BFloat16* matrix, std::int64_t step, int rows, std::int64_t blocks, BFloat16Pair* cells);
  // For sums over rows: cells[column][pair of rows][lane], for `columns` blocks of numbers of each row. `columns` is
  // even. A column's cells begin `distance` after those of the one before.
  void (*interleave)(const BFloat16* matrix, std::int64_t step, int rows, std::int64_t columns, BFloat16Pair* cells,
                     std::int64_t distance);

  // Of a row of an image in blocks of channels, whose pixels are `step` elements apart: cells[pair of pixels][channel].
  // Pixels before `first` and from `last` on are zero, and not read. The others are also added to `sums`, channel by
  // channel, unless that is null.
  void (*pair_pixels)(const BFloat16* pixels, std::int64_t step, int first, int last, int pairs, BFloat16Pair* cells,
                      float* sums);
  // Of an image of single channels: the numbers that a block of taps reads for two groups of 16 pixels,
  // cells[pair of pixels][tap]. A tap reads its offset after a group; taps from `taps` on are zero.
  void (*turn_taps)(const BFloat16* const groups[2], const std::int32_t* offsets, int taps, BFloat16Pair* cells);

  // result[row][lane] = activation(sums[row][lane] + bias[lane]) for the first `lanes` lanes; bias may be null. Rows of
  // results begin `step` elements apart.
  void (*finish)(const float* sums, std::int64_t rows, int lanes, const float* bias, Activation activation,
                 BFloat16* result, std::int64_t step);
  void (*finish_floats)(const float* sums, std::int64_t rows, int lanes, const float* bias, Activation activation,
                        float* result, std::int64_t step);
};

// Null if this machine has no instructions for pairs.
[[nodiscard]] const PairPacking* pair_packing();

}  // namespace convoy::kernels::simd
