// Forward passes, and passes for the source's gradient, of small images on matrix registers. Strips of such images
// would leave much of a register empty: a register has 16 pixels, an image of 2x2 has four. So rows are the pixels of
// the whole batch, what every tap reads there is copied, and the weights are streamed past.
#pragma once

#include <cstddef>

#include "convoy/kernels/amx/patches.h"
#include "convoy/kernels/amx/streamed_product.h"

namespace convoy::kernels {

class AmxPatchConvolution {
 public:
  AmxPatchConvolution(const simd::AmxLoops& loops, const ConvolutionProblem& problem, Pass pass, int threads);

  [[nodiscard]] std::size_t scratch_bytes() const;
  // `bias` may be null.
  void run(const BFloat16* source, const BFloat16* weights, const float* bias, BFloat16* result,
           float* scratchpad) const;

 private:
  struct Parts {
    StreamedProduct::Parts streamed;
    float* kept;  // of the first thread: the patches of one group
    std::int64_t distance;
    float* bias;
  };

  [[nodiscard]] StreamedProduct::Shape in_tiles() const;
  [[nodiscard]] Parts lay_out(Scratch& scratch) const;
  [[nodiscard]] std::int64_t planes() const { return (patches_.source().blocks + 1) / 2; }
  void pack_patches(const BFloat16* source, std::int64_t row_tile, std::byte* to) const;
  void pack_block(const BFloat16* weights, const StreamedProduct::Block& block) const;
  void pack_weights(const BFloat16* weights, std::int64_t column, std::int64_t step, BFloat16* to) const;

  const simd::AmxLoops* loops_;
  Patches patches_;
  bool transposed_;  // weights are those of the forward pass, which this one is the gradient of
  std::int64_t biases_;
  Activation activation_;
  int threads_;
  StreamedProduct::Shape shape_;
  StreamedProduct streamed_;
};

}  // namespace convoy::kernels
