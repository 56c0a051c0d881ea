// A product of two bf16 matrices on matrix registers, for dense layers. In each pass of such a layer one factor is as
// small as the batch. That one is copied completely into the form of the registers; threads divide the columns of the
// other into panels.
#pragma once

#include <cstddef>
#include <cstdint>

#include "convoy/kernels/scratch.h"
#include "convoy/kernels/simd/amx.h"

namespace convoy::kernels {

// How a factor is stored: `stride` is the distance between neighbours in the direction that is not contiguous.
struct AmxFactor {
  std::int64_t stride;
  bool depth_contiguous;  // contiguous in the direction of the sum; otherwise along the rows of the first or the
                          // columns of the second factor
};

class AmxProduct {
 public:
  struct Shape {
    std::int64_t rows, columns, depth;
    AmxFactor first, second;
  };
  struct Result {
    const float* bias;  // one value per column, or null
    Activation activation;
    float* floats;  // one of these two is null
    BFloat16* halves;
  };

  AmxProduct(const simd::AmxLoops& loops, const Shape& shape, int threads);

  [[nodiscard]] std::size_t scratch_bytes() const;
  void run(const BFloat16* first, const BFloat16* second, const Result& result, float* scratchpad) const;

 private:
  struct Parts {
    float* first;   // in tiles of rows
    float* panels;  // those of the first thread, in tiles of columns
  };

  [[nodiscard]] Parts lay_out(Scratch& scratch) const;
  [[nodiscard]] std::int64_t row_tiles() const { return (shape_.rows + simd::kTileRows - 1) / simd::kTileRows; }
  [[nodiscard]] std::int64_t steps() const { return (shape_.depth + 31) / 32; }
  [[nodiscard]] std::int64_t line_bytes() const { return steps() * simd::kTileBytes; }
  void pack_first(const BFloat16* first, std::int64_t tile, std::byte* to) const;
  void pack_second(const BFloat16* second, std::int64_t column, std::byte* to) const;
  void multiply_panel(const std::byte* first, const std::byte* panel, std::int64_t column, const Result& result) const;
  void write(const float* sums, std::int64_t row, std::int64_t column, const Result& result) const;

  const simd::AmxLoops* loops_;
  Shape shape_;
  int threads_;
};

}  // namespace convoy::kernels
