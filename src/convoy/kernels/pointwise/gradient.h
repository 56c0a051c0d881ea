// The gradient of the weights of a convolution with a 1x1 kernel, and of its bias.
//
// The weights are cut into groups of squares, and the batch, where groups are few, into parts with sums of their own.
// Threads claim one group in one part at a time. How many parts there are does not depend on the threads unless they
// are many, so neither do the bits.
#pragma once

#include "convoy/kernels/pointwise/plan.h"
#include "convoy/kernels/scratch.h"

namespace convoy::kernels {

class PointwiseGradient {
 public:
  PointwiseGradient(const ConvolutionProblem& problem, int threads);

  [[nodiscard]] std::size_t scratch_bytes() const;

  // diff_bias is not used if there is no bias.
  void run(const float* source, const float* gradient, float* diff_weights, float* diff_bias, float* scratchpad) const;

 private:
  // Parts of the scratchpad.
  struct Parts {
    float* strip;           // each thread's own: pixels of a strip of a group's channels, one after another
    float* sums;            // of all parts of the batch
    std::int64_t distance;  // from a thread's strip to that of the next
  };

  [[nodiscard]] Parts lay_out(Scratch& scratch) const;
  void add_group(std::int64_t part, std::int64_t group, const float* source, const float* gradient, float* sums,
                 float* packed) const;
  [[nodiscard]] const float* source_pixels(const float* source, const PixelStrip& strip, std::int64_t block,
                                           float* packed) const;
  void add_up(const float* sums, float* diff_weights) const;
  void sum_bias(const float* gradient, float* diff_bias) const;

  PointwisePlan plan_;
  int threads_;
  std::int64_t groups_across_, groups_;
  std::int64_t batch_parts_;
  std::int64_t biases_;
};

}  // namespace convoy::kernels
