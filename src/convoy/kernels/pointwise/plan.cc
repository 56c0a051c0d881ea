#include "convoy/kernels/pointwise/plan.h"

#include <algorithm>

#include "convoy/kernels/own_convolution.h"
#include "convoy/kernels/simd/products.h"

namespace convoy::kernels {
namespace {

// Divides an image into strips of about the same size.
std::int64_t even_strip(std::int64_t pixels, std::int64_t most, std::int64_t together) {
  const std::int64_t units = pixels / together;
  const std::int64_t strips = std::max<std::int64_t>(1, (pixels + most - 1) / most);
  return (units + strips - 1) / strips * together;
}

}  // namespace

PointwisePlan::PointwisePlan(const ConvolutionProblem& p, std::int64_t strip_pixels)
    : source_(PlaneGrid::of(ConvolutionLayouts::blocked(p).source)),
      result_(PlaneGrid::of(ConvolutionLayouts::blocked(p).destination)),
      in_h_(p.in_h),
      in_w_(p.in_w),
      out_w_(p.out_w),
      stride_h_(p.stride_h),
      stride_w_(p.stride_w),
      strip_pixels_(even_strip(result_.pixels, strip_pixels, is_strided() ? out_w_ : 1)) {}

PixelStrip PointwisePlan::strip(std::int64_t index) const {
  const std::int64_t first = index % strips_per_image() * strip_pixels_;
  return {
      .sample = index / strips_per_image(), .first = first, .count = std::min(strip_pixels_, result_.pixels - first)};
}

void PointwisePlan::pack(const float* plane, const PixelStrip& strip, float* packed) const {
  const std::int64_t block = source_.block;
  for (std::int64_t row = strip.first / out_w_; row < (strip.first + strip.count) / out_w_; ++row) {
    simd::product_loops().copy_pixels(plane + row * stride_h_ * in_w_ * block, stride_w_ * block, packed, block,
                                      out_w_);
    packed += out_w_ * block;
  }
}

void PointwisePlan::unpack(const float* packed, const PixelStrip& strip, float* plane) const {
  const std::int64_t block = source_.block;
  const std::int64_t line = in_w_ * block;
  for (std::int64_t row = strip.first / out_w_; row < (strip.first + strip.count) / out_w_; ++row) {
    float* const to = plane + row * stride_h_ * line;
    std::fill(to, plane + std::min(in_h_, (row + 1) * stride_h_) * line, 0.0F);
    simd::product_loops().copy_pixels(packed, block, to, stride_w_ * block, out_w_);
    packed += out_w_ * block;
  }
}

}  // namespace convoy::kernels
