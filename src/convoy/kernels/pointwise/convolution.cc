#include "convoy/kernels/pointwise/convolution.h"

#include <algorithm>

#include "convoy/kernels/parallel.h"
#include "convoy/kernels/simd/loops.h"
#include "convoy/kernels/simd/products.h"

namespace convoy::kernels {
namespace {

// So many pixels that what is read of them stays in the second-level cache while all weights pass by, and not more than
// leaves each thread several strips.
std::int64_t strip_pixels(const ConvolutionProblem& p, Pass pass, int threads) {
  constexpr std::int64_t kStripBytes = 192 << 10;
  constexpr std::int64_t kStripsPerThread = 8;
  constexpr std::int64_t kFewestPixels = 28;
  const std::int64_t channels = pass == Pass::forward ? p.in_channels : p.out_channels;
  const std::int64_t cached = kStripBytes / (channels * std::int64_t{sizeof(float)});
  const std::int64_t pixels = p.out_h * p.out_w;
  return std::max(kFewestPixels, std::min(cached, p.batch * pixels / (threads * kStripsPerThread)));
}

}  // namespace

PointwiseConvolution::PointwiseConvolution(const ConvolutionProblem& problem, Pass pass, int threads)
    : plan_(problem, strip_pixels(problem, pass, threads)),
      pass_(pass),
      threads_(threads),
      activation_(pass == Pass::forward ? problem.activation : Activation::none),
      biases_(pass == Pass::forward && problem.bias ? problem.out_channels : 0) {}

std::size_t PointwiseConvolution::scratch_bytes() const {
  Scratch scratch(nullptr, threads_);
  (void)lay_out(scratch);
  return scratch.bytes();
}

PointwiseConvolution::Parts PointwiseConvolution::lay_out(Scratch& scratch) const {
  Parts parts{};
  parts.strip = scratch.take_own(plan_.is_strided() ? plan_.strip_pixels() * plan_.source().channels() : 0);
  parts.bias = scratch.take(biases_ > 0 ? to().channels() : 0);
  parts.weights = scratch.take(is_forward() ? 0 : plan_.squares() * plan_.square_floats());
  parts.distance = scratch.distance();
  return parts;
}

void PointwiseConvolution::run(const float* source, const float* weights, const float* bias, float* result,
                               float* scratchpad) const {
  Scratch scratch(scratchpad, threads_);
  const Parts parts = lay_out(scratch);
  bias = padded(bias, parts.bias);
  weights = oriented(weights, parts.weights);
  Claims claims(plan_.result().batch * plan_.strips_per_image(), threads_);
  parallel_for(threads_, [&](std::int64_t thread) {
    float* const packed = parts.strip + thread * parts.distance;
    claims.work(thread, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const PixelStrip strip = plan_.strip(i);
        is_forward() ? forward_strip(strip, source, weights, bias, result, packed)
                     : backward_strip(strip, source, weights, result, packed);
      }
    });
  });
}

// Copies the bias and fills it up with zeros to whole blocks of channels.
const float* PointwiseConvolution::padded(const float* bias, float* copy) const {
  if (bias == nullptr) return nullptr;
  std::copy_n(bias, biases_, copy);
  std::fill(copy + biases_, copy + to().channels(), 0.0F);
  return copy;
}

// The weights with the channels that are summed over in rows, ordered by the channels of what the pass writes.
const float* PointwiseConvolution::oriented(const float* weights, float* transposed) const {
  if (is_forward()) return weights;
  const std::int64_t square = plan_.square_floats();
  parallel_for(plan_.squares(), [&](std::int64_t i) {
    const std::int64_t row = i % from().blocks;
    const std::int64_t column = i / from().blocks;
    simd::product_loops().transpose(weights + (row * to().blocks + column) * square, transposed + i * square);
  });
  return transposed;
}

void PointwiseConvolution::forward_strip(const PixelStrip& strip, const float* source, const float* weights,
                                         const float* bias, float* result, float* packed) const {
  const std::int64_t block = to().block;
  const float* image = source + strip.sample * from().blocks * from().plane_elements();
  simd::BlockProduct<float> product{
      .v = image + strip.first * block,
      .u = weights,
      .m = result + strip.sample * to().blocks * to().plane_elements() + strip.first * block,
      .v_block = from().plane_elements(),
      .u_block = plan_.square_floats(),
      .u_column = plan_.square_floats() * from().blocks,
      .m_column = to().plane_elements(),
      .rows = static_cast<int>(strip.count),
      .blocks = static_cast<int>(from().blocks),
      .columns = static_cast<int>(to().blocks),
      .accumulate = bias != nullptr};
  if (plan_.is_strided()) {
    for (std::int64_t b = 0; b < from().blocks; ++b) {
      plan_.pack(image + b * from().plane_elements(), strip, packed + b * strip.count * block);
    }
    product.v = packed;
    product.v_block = strip.count * block;
  }
  for (std::int64_t b = 0; bias != nullptr && b < to().blocks; ++b) {
    for (std::int64_t i = 0; i < strip.count; ++i) {
      std::copy_n(bias + b * block, block, product.m + b * product.m_column + i * block);
    }
  }
  simd::products_of<float>().multiply(product);
  for (std::int64_t b = 0; activation_ != Activation::none && b < to().blocks; ++b) {
    float* const plane = product.m + b * product.m_column;
    simd::loops<float>().activate(plane, plane, strip.count * block, activation_);
  }
}

void PointwiseConvolution::backward_strip(const PixelStrip& strip, const float* gradient, const float* weights,
                                          float* result, float* packed) const {
  const std::int64_t block = to().block;
  float* const image = result + strip.sample * to().blocks * to().plane_elements();
  simd::BlockProduct<float> product{
      .v = gradient + strip.sample * from().blocks * from().plane_elements() + strip.first * block,
      .u = weights,
      .m = plan_.is_strided() ? packed : image + strip.first * block,
      .v_block = from().plane_elements(),
      .u_block = plan_.square_floats(),
      .u_column = plan_.square_floats() * from().blocks,
      .m_column = plan_.is_strided() ? strip.count * block : to().plane_elements(),
      .rows = static_cast<int>(strip.count),
      .blocks = static_cast<int>(from().blocks),
      .columns = static_cast<int>(to().blocks),
      .accumulate = false};
  simd::products_of<float>().multiply(product);
  for (std::int64_t b = 0; plan_.is_strided() && b < to().blocks; ++b) {
    plan_.unpack(packed + b * product.m_column, strip, image + b * to().plane_elements());
  }
}

}  // namespace convoy::kernels
