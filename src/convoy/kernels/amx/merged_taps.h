// Images of few channels, as samples are: one of them would leave most of a register empty. The taps of a row of the
// kernel become channels instead: a kernel of 7x7 over 3 channels is one of 7x1 over 21, of an image that holds, at
// each column of the result, all that this column reads of a row.
#pragma once

#include <cstdint>

#include "convoy/kernels/amx/convolution.h"
#include "convoy/kernels/amx/gradient.h"
#include "convoy/kernels/convolution.h"

namespace convoy::kernels {

class MergedTaps {
 public:
  explicit MergedTaps(const ConvolutionProblem& problem);

  // Whether that pays: few channels, and not too many taps.
  [[nodiscard]] static bool applies(const ConvolutionProblem& problem);

  // The convolution to compute in its place, of blocked operands.
  [[nodiscard]] const ConvolutionProblem& merged() const { return merged_; }

  [[nodiscard]] std::int64_t source_elements() const;
  [[nodiscard]] std::int64_t weight_elements() const;

  // From plain operands to those of merged(), and its gradient of weights to a plain one.
  void merge_source(const BFloat16* source, BFloat16* merged) const;
  void merge_weights(const BFloat16* weights, BFloat16* merged) const;
  void split_gradient(const float* merged, float* gradient) const;

 private:
  // body(place in plain weights, place in merged ones) for every weight.
  template <typename Body>
  void for_weights(const Body& body) const;
  void merge_row(const BFloat16* source, std::int64_t sample, std::int64_t row, BFloat16* merged) const;

  ConvolutionProblem problem_;
  ConvolutionProblem merged_;
  std::int64_t blocks_;  // of merged channels
};

// A forward pass that way.
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

// The gradient of the weights that way.
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
