// The gradient of a convolution's weights for small images, on matrix registers: products of what a tap reads with the
// result's gradient, summed over the pixels of the whole batch. Tiles of sums are stored where they belong.
#pragma once

#include <cstddef>

#include "convoy/kernels/amx/patches.h"
#include "convoy/kernels/scratch.h"
#include "convoy/kernels/simd/amx.h"

namespace convoy::kernels {

class AmxPatchGradient {
 public:
  AmxPatchGradient(const simd::AmxLoops& loops, const ConvolutionProblem& problem, int threads);

  [[nodiscard]] std::size_t scratch_bytes() const;
  void run(const BFloat16* source, const BFloat16* gradient, float* diff_weights, float* diff_bias,
           float* scratchpad) const;

 private:
  struct Parts {
    float* rows;   // of the first thread: two tiles of pixels that are being paired and transposed
    float* items;  // of the first thread: what the taps read, for some items
    std::int64_t distance;
    float* gradients;  // all of the result's gradient, in pairs
    float* bias_sums;
  };

  [[nodiscard]] Parts lay_out(Scratch& scratch) const;
  [[nodiscard]] std::int64_t steps() const { return (patches_.pixels() + simd::kTileDepth - 1) / simd::kTileDepth; }
  [[nodiscard]] std::int64_t line_bytes() const { return steps() * simd::kTileBytes; }
  // An item is a block of source channels and a tap.
  [[nodiscard]] std::int64_t items() const { return patches_.source().blocks * patches_.taps(); }
  [[nodiscard]] std::int64_t panel_items() const;
  void pack_gradients(const BFloat16* gradient, std::int64_t block, BFloat16* rows, std::byte* to, float* sums) const;
  void pack_item(const BFloat16* source, std::int64_t item, BFloat16* rows, std::byte* to) const;
  void multiply_panel(const std::byte* panel, const std::byte* gradients, std::int64_t first, std::int64_t count,
                      float* diff_weights) const;

  const simd::AmxLoops* loops_;
  Patches patches_;
  std::int64_t biases_;
  int threads_;
};

}  // namespace convoy::kernels
