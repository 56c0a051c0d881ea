// The gradient of a convolution's weights by products of pairs of pixels, without winograd: for layers with a stride,
// where oneDNN's kernels reach a third of the processor's rate, and for those that read samples, which have few
// channels.
//
// Pixels are paired along rows of the result. A strip of such pairs is multiplied with what the taps read for them.
// What a tap reads comes from `Taps`: an item is a block of numbers that a pixel of the result reads.
#pragma once

#include <cstddef>
#include <cstdint>

#include "convoy/kernels/pairs/taps.h"
#include "convoy/kernels/scratch.h"

namespace convoy::kernels {

template <typename Taps>
class PairedGradient {
 public:
  PairedGradient(const ConvolutionProblem& problem, int threads);

  [[nodiscard]] std::size_t scratch_bytes() const;
  // diff_bias is not used if there is no bias.
  void run(const BFloat16* source, const BFloat16* gradient, float* diff_weights, float* diff_bias,
           float* scratchpad) const;

 private:
  // Parts of the scratchpad. All but the last are each thread's own.
  struct Parts {
    simd::BFloat16Pair* gradients;  // of a strip, [block][pair][channel]
    simd::BFloat16Pair* item;       // of a strip, [pair][number]
    float* weights;                 // [block][item][number][channel], from a thread's strips
    float* bias_sums;
    std::int64_t distance;  // from a thread's own parts to those of the next
    BFloat16* samples;      // what taps read, if they do not read the source
  };

  [[nodiscard]] Parts lay_out(Scratch& scratch) const;
  [[nodiscard]] std::int64_t rows() const { return batch_ * height_; }
  [[nodiscard]] std::int64_t strips() const { return (rows() + strip_rows_ - 1) / strip_rows_; }
  [[nodiscard]] std::int64_t strip_pairs() const { return strip_rows_ * taps_.row_pairs(); }
  [[nodiscard]] std::int64_t weight_floats() const;
  void add_strips(std::int64_t thread, const BFloat16* samples, const BFloat16* gradient, const Parts& parts) const;
  void pack_gradients(const BFloat16* gradient, std::int64_t first_row, std::int64_t rows, const Parts& parts) const;
  void add_up(const Parts& parts, float* diff_weights, float* diff_bias) const;

  Taps taps_;
  int threads_;
  std::int64_t batch_, height_, width_;  // of the result
  std::int64_t blocks_;                  // of the result's channels
  std::int64_t biases_;
  std::int64_t strip_rows_;
};

}  // namespace convoy::kernels
