// Convolutions of images with few channels, such as the samples, which would leave most of a register empty. The taps
// of a row of the kernel become channels instead: a kernel of 7x7 over 3 channels becomes one of 7x1 over 21 channels.
// Its image has, at each column of the result, everything that this column reads from a row.
#pragma once

#include <cstdint>

#include "convoy/kernels/amx/convolution.h"
#include "convoy/kernels/amx/gradient.h"
#include "convoy/kernels/convolution.h"

namespace convoy::kernels {

class MergedTaps {
 public:
  explicit MergedTaps(const ConvolutionProblem& problem);

  // Whether this is worthwhile: few channels, and not too many taps.
  [[nodiscard]] static bool applies(const ConvolutionProblem& problem);

  // The convolution that is computed instead, with blocked operands.
  [[nodiscard]] const ConvolutionProblem& merged() const { return merged_; }

  [[nodiscard]] std::int64_t source_elements() const;
  [[nodiscard]] std::int64_t weight_elements() const;

  // Convert plain operands to those of merged(), and its gradient of the weights to a plain one.
  void merge_source(const BFloat16* source, BFloat16* merged) const;
  void merge_weights(const BFloat16* weights, BFloat16* merged) const;
  void split_gradient(const float* merged, float* gradient) const;

 private:
  // Calls body(index in plain weights, index in merged weights) for every weight.
  template <typename Body>
  void for_weights(const Body& body) const;
  void merge_row(const BFloat16* source, std::int64_t sample, std::int64_t row, BFloat16* merged) const;

  ConvolutionProblem problem_;
  ConvolutionProblem merged_;
  std::int64_t blocks_;  // of merged channels
};

// A forward pass with merged taps.
class MergedConvolution {
 public:
  MergedConvolution(const simd::AmxLoops& loops, const ConvolutionProblem& problem, int threads)
      : taps_(problem), inner_(loops, taps_.merged(), Pass::forward, threads) {}

  [[nodiscard]] std::size_t scratch_bytes() const;
  void run(const BFloat16* source, const BFloat16* weights, const float* bias, BFloat16* result,
           float* scratchpad) const;

 private:
  MergedTaps taps_;
  AmxConvolution inner_;
};

// The gradient of the weights with merged taps.
class MergedGradient {
 public:
  MergedGradient(const simd::AmxLoops& loops, const ConvolutionProblem& problem, int threads)
      : taps_(problem), inner_(loops, taps_.merged(), threads) {}

  [[nodiscard]] std::size_t scratch_bytes() const;
  void run(const BFloat16* source, const BFloat16* gradient, float* diff_weights, float* diff_bias,
           float* scratchpad) const;

 private:
  MergedTaps taps_;
  AmxGradient inner_;
};

}  // namespace convoy::kernels
