// Runs a convolution with a 1x1 kernel: the forward pass, or the gradient of the source.
#pragma once

#include "convoy/kernels/pointwise/plan.h"
#include "convoy/kernels/scratch.h"

namespace convoy::kernels {

class PointwiseConvolution {
 public:
  // A forward pass, or one for the source's gradient.
  PointwiseConvolution(const ConvolutionProblem& problem, Pass pass, int threads);

  [[nodiscard]] std::size_t scratch_bytes() const;

  // `source` and `result` are those of the pass. bias is null if there is none.
  void run(const float* source, const float* weights, const float* bias, float* result, float* scratchpad) const;

 private:
  // Parts of the scratchpad.
  struct Parts {
    float* strip;           // each thread's own: pixels of a strip, one after another
    float* bias;            // filled up with zeros
    float* weights;         // transposed
    std::int64_t distance;  // from a thread's strip to that of the next
  };

  [[nodiscard]] bool is_forward() const { return pass_ == Pass::forward; }
  // What the pass reads and writes.
  [[nodiscard]] const PlaneGrid& from() const { return is_forward() ? plan_.source() : plan_.result(); }
  [[nodiscard]] const PlaneGrid& to() const { return is_forward() ? plan_.result() : plan_.source(); }

  [[nodiscard]] Parts lay_out(Scratch& scratch) const;
  [[nodiscard]] const float* padded(const float* bias, float* copy) const;
  [[nodiscard]] const float* oriented(const float* weights, float* transposed) const;
  void forward_strip(const PixelStrip& strip, const float* source, const float* weights, const float* bias,
                     float* result, float* packed) const;
  void backward_strip(const PixelStrip& strip, const float* gradient, const float* weights, float* result,
                      float* packed) const;

  PointwisePlan plan_;
  Pass pass_;
  int threads_;
  Activation activation_;
  std::int64_t biases_;  // how many values the bias has; zero if there is none
};

}  // namespace convoy::kernels
