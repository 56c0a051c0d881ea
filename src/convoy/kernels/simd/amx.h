// Loops on the matrix registers of processors with AMX: products of 16 rows by 16 columns of bf16 numbers, summed in
// floats. amx.cc is compiled only for such processors; amx_loops() is null on others.
//
// A row has the channels of one pixel that are multiplied at once: 16 (32 bytes) or 32 (64 bytes); this is its depth. A
// column is one channel of the result. The second factor of a product is stored in pairs: two of its rows are
// interleaved.
#pragma once

#include <cstddef>
#include <cstdint>

#include "convoy/kernels/activation.h"
#include "convoy/tensor/data_type.h"

namespace convoy::kernels::simd {

inline constexpr int kTileRows = 16;            // rows of a matrix register, and floats in one of its rows
inline constexpr int kTileFloats = 256;         // of a whole result
inline constexpr std::int64_t kTileDepth = 32;  // numbers in a row of a whole register
inline constexpr int kTileBytes = 1024;         // of a register
inline constexpr int kPairBytes = 64;           // of two interleaved rows of 16 numbers

// The product of up to two tiles of rows and up to two tiles of columns, summed over taps and planes of channels.
struct TileProduct {
  const std::byte* rows;       // of the first plane and tile
  std::int64_t plane_bytes;    // distance between planes of rows
  const std::int64_t* shifts;  // for each tap: where its rows begin, in bytes
  int planes, taps;
  int depth;                    // 16 or 32
  const std::byte* weights;     // of the first tile of columns, ordered by planes, then taps
  std::int64_t column_bytes;    // distance between tiles of columns
  int row_tiles, column_tiles;  // 1 or 2 each
  float* sums;                  // one tile of 256 floats for each pair of tiles, ordered by rows, then columns
};

// For the gradient of weights: up to two tiles of result channels by up to two items (a block of source channels and a
// tap), summed over the pixels of several strips.
struct TileCorrelation {
  const std::byte* gradients;      // transposed: tiles of 16 channels by 32 pixels
  std::int64_t gradient_channels;  // bytes between blocks of channels
  std::int64_t gradient_strip;     // bytes between strips
  const std::byte* sources[2];     // pixels in pairs
  std::int64_t source_strip;
  int strips, steps;  // each step is 32 pixels of a strip
  int channel_tiles, items;
  float* sums[2][2];                     // [channel tile][item]: 16 result channels by 16 source channels
  std::int64_t sums_stride = kTileRows;  // distance between rows of sums, in floats
  bool accumulate;
};

struct TileResult {
  const float* sums;           // 16 pixels by 16 channels
  const std::int32_t* places;  // for each pixel, where its channels go in `plane`; -1: nowhere
  int pixels;                  // how many of the 16
  const float* bias;           // of 16 channels, or null
  Activation activation;
  BFloat16* plane;
};

// A part of a matrix in memory: rows that are `stride` elements apart.
struct MatrixPart {
  const BFloat16* at;
  std::int64_t stride;
  int rows, columns;
};

// Where a tile of sums is written, as rows of floats or of bf16 numbers: one of the two pointers is null.
struct TileRows {
  const float* sums;
  int rows, columns;  // how many of the tile's 16 each
  const float* bias;  // one for each column, or null
  Activation activation;
  std::int64_t stride;  // distance between rows, in elements
  float* floats;
  BFloat16* halves;
};

struct AmxLoops {
  // Configure and release this thread's registers. Products of another depth than they are configured for are wrong.
  void (*begin)(int depth);
  void (*end)();

  // Copies the channels of `count` pixels that are `stride` elements apart to rows of depth 16 or, with a second block
  // of channels, of depth 32; a null second block means zeros.
  void (*gather16)(const BFloat16* block, std::int64_t stride, std::int64_t count, BFloat16* rows);
  void (*gather32)(const BFloat16* first, const BFloat16* second, std::int64_t stride, std::int64_t count,
                   BFloat16* rows);

  // The same for pixels at any places: 32 pixels of one block to rows of depth 16, or 16 pixels of one or two blocks to
  // rows of depth 32. A place is the distance from the block in elements; -1 means zeros, as does a null second block.
  void (*gather_places16)(const BFloat16* block, const std::int32_t* places, BFloat16* rows);
  void (*gather_places32)(const BFloat16* first, const BFloat16* second, const std::int32_t* places, BFloat16* rows);

  // Copies a block of 16 by 16 weights (source by result channels) with its rows in pairs: as the second factor of a
  // forward pass or, transposed, of a pass for the source's gradient.
  void (*pair_weights)(const BFloat16* block, BFloat16* pairs);
  void (*pair_weights_transposed)(const BFloat16* block, BFloat16* pairs);
  // The latter for two blocks at once, of which the second may be null, to the form of a whole register.
  void (*turn_weights)(const BFloat16* first, const BFloat16* second, BFloat16* pairs);

  // Pairs the rows of depth 16 of 2 * `pairs` pixels.
  void (*pair_rows)(const BFloat16* rows, std::int64_t pairs, BFloat16* to);
  // Transposes 32 such rows, already in pairs, to 16 rows of 32 pixels. May run in place; doing it twice gives the
  // original.
  void (*transpose_pairs)(const BFloat16* pairs, BFloat16* to);

  // Copies a part with at most 16 rows and 32 columns to the form of a first factor's register; the rest is filled with
  // zeros.
  void (*copy_rows)(const MatrixPart& part, BFloat16* tile);
  // Copies a part with at most 32 rows, in pairs, to the form of second factors' registers, one for each 16 columns,
  // which are `distance` elements apart; the rest is filled with zeros.
  void (*pair_columns)(const MatrixPart& part, BFloat16* tiles, std::int64_t distance);
  void (*finish_rows)(const TileRows& rows);

  void (*multiply)(const TileProduct& product);
  void (*finish)(const TileResult& result);
  void (*correlate)(const TileCorrelation& correlation);
  // Sums `count` tiles that are `stride` floats apart, and transposes the sum.
  void (*sum_transposed)(const float* tiles, std::int64_t stride, int count, float* to);
  // Adds rows of 16 numbers to 16 sums.
  void (*add_rows)(const BFloat16* rows, std::int64_t count, float* sums);
};

// Null if the processor has no matrix registers or oneDNN may not use them.
[[nodiscard]] const AmxLoops* amx_loops();

}  // namespace convoy::kernels::simd
