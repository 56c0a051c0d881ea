// The geometry of a convolution with a 1x1 kernel: a product of pixels and weights. Without a stride, it reads and
// writes images where they are; with one, the pixels that it uses are copied together first, or apart afterwards.
#pragma once

#include <cstdint>

#include "convoy/kernels/convolution.h"
#include "convoy/kernels/loop_operator.h"

namespace convoy::kernels {

// Some pixels of one image of the layer's result, in the order of memory.
struct PixelStrip {
  std::int64_t sample, first, count;
};

class PointwisePlan {
 public:
  // A strip has about `strip_pixels`; with a stride, it has whole rows of the image.
  PointwisePlan(const ConvolutionProblem& problem, std::int64_t strip_pixels);

  // Of the layer, in all passes.
  [[nodiscard]] const PlaneGrid& source() const { return source_; }
  [[nodiscard]] const PlaneGrid& result() const { return result_; }

  [[nodiscard]] bool is_strided() const { return stride_h_ > 1 || stride_w_ > 1; }
  [[nodiscard]] std::int64_t strip_pixels() const { return strip_pixels_; }
  [[nodiscard]] std::int64_t strips_per_image() const { return (result_.pixels + strip_pixels_ - 1) / strip_pixels_; }
  [[nodiscard]] PixelStrip strip(std::int64_t index) const;

  // Weights are squares of one block of channels by another, ordered by output, then input channels.
  [[nodiscard]] std::int64_t square_floats() const { return source_.block * source_.block; }
  [[nodiscard]] std::int64_t squares() const { return source_.blocks * result_.blocks; }

  // For layers with a stride: copies what a strip reads of a plane of the source, one pixel after another.
  void pack(const float* plane, const PixelStrip& strip, float* packed) const;
  // The other way round. Pixels that no strip reads become zero.
  void unpack(const float* packed, const PixelStrip& strip, float* plane) const;

 private:
  PlaneGrid source_;
  PlaneGrid result_;
  std::int64_t in_h_, in_w_, out_w_;
  std::int64_t stride_h_, stride_w_;
  std::int64_t strip_pixels_;
};

}  // namespace convoy::kernels
