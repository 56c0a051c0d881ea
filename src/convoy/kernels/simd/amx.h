// Loops on the matrix registers of processors with AMX: products of 16 rows by 16 columns of bf16 numbers, summed in
// floats. amx.cc is compiled for such processors only; amx_loops() is null on others.
//
// A row is the channels of one pixel that are multiplied at once: 16 of them (32 bytes) or 32 (64 bytes), its depth. A
// column is one channel of the result. The second factor of a product comes in pairs: two rows of it lie interleaved.
#pragma once

#include <cstddef>
#include <cstdint>

#include "convoy/kernels/activation.h"
#include "convoy/tensor/data_type.h"

namespace convoy::kernels::simd {

inline constexpr int kTileRows = 16;     // of a matrix register, and its columns of floats
inline constexpr int kTileFloats = 256;  // of a whole result
inline constexpr int kTileBytes = 1024;  // of a register
inline constexpr int kPairBytes = 64;    // of two interleaved rows of 16 numbers

// Up to two tiles of rows times up to two tiles of columns, summed over taps and planes of channels.
struct TileProduct {
  const std::byte* rows;       // of the first plane and tile
  std::int64_t plane_bytes;    // from a plane of rows to the next
  const std::int64_t* shifts;  // for each tap: where its rows begin, in bytes
  int planes, taps;
  int depth;                    // 16 or 32
  const std::byte* weights;     // of the first tile of columns: plane by plane, tap by tap
  std::int64_t column_bytes;    // from one tile of columns to the next
  int row_tiles, column_tiles;  // 1 or 2 each
  float* sums;                  // a tile of 256 floats for each pair: rows first, then columns
};

// The gradient of weights: up to two tiles of result channels by up to two items (a block of source channels and a
// tap), summed over the pixels of several strips.
struct TileCorrelation {
  const std::byte* gradients;      // transposed: tiles of 16 channels by 32 pixels
  std::int64_t gradient_channels;  // bytes from one block of channels to the next
  std::int64_t gradient_strip;     // bytes from one strip to the next
  const std::byte* sources[2];     // pixels in pairs
  std::int64_t source_strip;
  int strips, steps;  // steps of 32 pixels in each strip
  int channel_tiles, items;
  float* sums[2][2];  // [channel tile][item]: 16 result channels by 16 source channels
  bool accumulate;
};

struct TileResult {
  const float* sums;           // 16 pixels by 16 channels
  const std::int32_t* places;  // of each pixel: where its channels go in `plane`, or -1: nowhere
  int pixels;                  // of the 16
  const float* bias;           // of 16 channels, or null
  Activation activation;
  BFloat16* plane;
};

// A part of a matrix in memory: rows of numbers, `stride` elements apart.
struct MatrixPart {
  const BFloat16* at;
  std::int64_t stride;
  int rows, columns;
};

// Where a tile of sums goes, as rows of floats or of bf16 numbers: one of them is null.
struct TileRows {
  const float* sums;
  int rows, columns;  // of the tile's 16 each
  const float* bias;  // one for each column, or null
  Activation activation;
  std::int64_t stride;  // from row to row, in elements
  float* floats;
  BFloat16* halves;
};

struct AmxLoops {
  // Readies and frees this thread's registers; products of another depth than they are ready for are wrong.
  void (*begin)(int depth);
  void (*end)();

  // Channels of `count` pixels, `stride` elements apart, as rows of depth 16, or, with a second block of channels that
  // may be null for zeros, of depth 32.
  void (*gather16)(const BFloat16* block, std::int64_t stride, std::int64_t count, BFloat16* rows);
  void (*gather32)(const BFloat16* first, const BFloat16* second, std::int64_t stride, std::int64_t count,
                   BFloat16* rows);

  // A block of 16 by 16 weights (of source by result channels), its rows in pairs: as second factor of a forward pass,
  // or, transposed, of a pass for the source's gradient.
  void (*pair_weights)(const BFloat16* block, BFloat16* pairs);
  void (*pair_weights_transposed)(const BFloat16* block, BFloat16* pairs);

  // Rows of depth 16 of 2 * `pairs` pixels, in pairs.
  void (*pair_rows)(const BFloat16* rows, std::int64_t pairs, BFloat16* to);
  // 32 such rows, already in pairs, as 16 rows of 32 pixels. In place, too, and its own opposite.
  void (*transpose_pairs)(const BFloat16* pairs, BFloat16* to);

  // A part of at most 16 rows and 32 columns as the register of a first factor, or of at most 32 rows and 16 columns,
  // in pairs, as that of a second; zeros fill it up.
  void (*copy_rows)(const MatrixPart& part, BFloat16* tile);
  void (*pair_columns)(const MatrixPart& part, BFloat16* tile);
  void (*finish_rows)(const TileRows& rows);

  void (*multiply)(const TileProduct& product);
  void (*finish)(const TileResult& result);
  void (*correlate)(const TileCorrelation& correlation);
  // The sum of `count` tiles that lie `stride` floats apart, transposed.
  void (*sum_transposed)(const float* tiles, std::int64_t stride, int count, float* to);
  // Adds rows of 16 numbers to 16 sums.
  void (*add_rows)(const BFloat16* rows, std::int64_t count, float* sums);
};

// Null where the processor, or what oneDNN may use of it, has no matrix registers.
[[nodiscard]] const AmxLoops* amx_loops();

}  // namespace convoy::kernels::simd
