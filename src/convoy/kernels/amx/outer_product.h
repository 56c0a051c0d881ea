// The product of two bf16 matrices on matrix registers that sums over the samples of a batch, for the gradient of a
// dense layer's weights: result[r][c] is the sum of first[s][r] * second[s][c].
//
// Both factors are small and the result is large, so the order is the result's: threads claim stretches of its rows,
// and tiles of sums are stored where they belong.
#pragma once

#include <cstddef>
#include <cstdint>

#include "convoy/kernels/scratch.h"
#include "convoy/kernels/simd/amx.h"

namespace convoy::kernels {

class AmxOuterProduct {
 public:
  AmxOuterProduct(const simd::AmxLoops& loops, std::int64_t samples, std::int64_t rows, std::int64_t columns,
                  int threads)
      : loops_(&loops), samples_(samples), rows_(rows), columns_(columns), threads_(threads) {}

  [[nodiscard]] std::size_t scratch_bytes() const;
  void run(const BFloat16* first, const BFloat16* second, float* result, float* scratchpad) const;

 private:
  struct Parts {
    float* first;   // in tiles of rows
    float* second;  // in tiles of columns
  };

  [[nodiscard]] Parts lay_out(Scratch& scratch) const;
  [[nodiscard]] std::int64_t row_tiles() const { return (rows_ + simd::kTileRows - 1) / simd::kTileRows; }
  [[nodiscard]] std::int64_t column_tiles() const { return (columns_ + simd::kTileRows - 1) / simd::kTileRows; }
  [[nodiscard]] std::int64_t steps() const { return (samples_ + 31) / 32; }
  [[nodiscard]] std::int64_t line_bytes() const { return steps() * simd::kTileBytes; }
  [[nodiscard]] std::int64_t panel_tiles() const;
  [[nodiscard]] bool is_inside(std::int64_t row_tile, std::int64_t column_tile) const;
  void pack(const BFloat16* factor, std::int64_t width, std::int64_t tile, bool first, std::byte* to) const;
  void multiply(const std::byte* first, const std::byte* second, std::int64_t row_tile, std::int64_t column_tile,
                float* result) const;

  const simd::AmxLoops* loops_;
  std::int64_t samples_, rows_, columns_;
  int threads_;
};

}  // namespace convoy::kernels
