// A product of two bf16 matrices on matrix registers, for dense layers: forward and for the gradient of the source. One
// factor is as small as the batch and is kept, the weights are streamed.
#pragma once

#include "convoy/kernels/amx/streamed_product.h"

namespace convoy::kernels {

class AmxProduct {
 public:
  struct Shape {
    std::int64_t rows, columns, depth;
    // Of the weights: if not, their columns are. Weights whose depth is contiguous have whole rows of a register and
    // are the first factor; otherwise they are the second, in pairs.
    bool depth_contiguous;
  };
  struct Result {
    const float* bias;  // one value per column, or null
    Activation activation;
    float* floats;  // one of these two is null
    BFloat16* halves;
  };

  AmxProduct(const simd::AmxLoops& loops, const Shape& shape, int threads);

  [[nodiscard]] std::size_t scratch_bytes() const;
  void run(const BFloat16* kept, const BFloat16* weights, const Result& result, float* scratchpad) const;

 private:
  struct Parts {
    StreamedProduct::Parts streamed;
    float* kept;  // in tiles of rows
  };

  [[nodiscard]] Parts lay_out(Scratch& scratch) const;
  [[nodiscard]] std::int64_t row_tiles() const { return (shape_.rows + simd::kTileRows - 1) / simd::kTileRows; }
  void pack_kept(const BFloat16* kept, std::int64_t tile, std::byte* to) const;
  void pack_block(const BFloat16* weights, const StreamedProduct::Block& block) const;
  void write(std::int64_t row_tile, std::int64_t column_tile, const float* sums, const Result& result) const;

  const simd::AmxLoops* loops_;
  Shape shape_;
  int threads_;
  StreamedProduct streamed_;
};

}  // namespace convoy::kernels
