// The steps of a winograd convolution: tiles of an image are taken to values at points, where a convolution is a
// product of matrices, and results are brought back. A scheme has `taps` x `taps` weights and makes `outputs` x
// `outputs` results of a tile of `points` x `points` pixels with as many products for each pair of channels.
//
// Everything at points lies in matrices one `stride` of floats apart, point by point. Rows of such a matrix are tiles,
// or input channels where it holds weights; a row is one block of channels.
#pragma once

#include <cstdint>

#include "convoy/kernels/activation.h"
#include "convoy/tensor/data_type.h"

namespace convoy::kernels::simd {

// Where a tile lies: its first pixel, perhaps in the padding, and the size of the image.
struct TilePlace {
  int top, left;
  int height, width;
};

// m[column][row][lane] (+)= sum over blocks k and lanes l of v[k][row][l] u[column][k][l][lane], at one point.
struct PointProduct {
  const float* v;
  const float* u;
  float* m;
  std::int64_t v_block, u_block;    // floats from one k to the next
  std::int64_t u_column, m_column;  // floats from one column to the next
  int rows, blocks, columns;
  bool accumulate;
};

inline constexpr int kWinogradSchemes = 5;

// The steps that read or write images and weights in memory, where elements are float or BFloat16. At points everything
// is floats.
template <typename Element>
struct WinogradEnds {
  // A tile of one plane of the source to its values at points; pixels outside the image are zero.
  void (*source_tile)(const Element* plane, TilePlace place, float* values, std::int64_t stride);
  // A tile of the gradient of the results, likewise; its pixels are also added to `sum`, channel by channel.
  void (*gradient_tile)(const Element* plane, TilePlace place, float* values, std::int64_t stride, float* sum);
  // The results of a tile, with bias (one value for each lane, or null) and activation, into the part of the plane that
  // exists.
  void (*result_tile)(const float* values, std::int64_t stride, TilePlace place, const float* bias,
                      Activation activation, Element* plane);

  // A square of weights, one block of channels by another, [tap][in][out], to points [in][out].
  void (*weights)(const Element* weights, float* values, std::int64_t stride);
  // The same with the taps in reverse and the channels' parts exchanged, as the gradient of the source wants them:
  // points [out][in].
  void (*rotated_weights)(const Element* weights, float* values, std::int64_t stride);
};

struct WinogradLoops {
  int block;
  int taps, outputs, points;

  WinogradEnds<float> floats;
  WinogradEnds<BFloat16> halves;

  // The gradient of a square of weights from that of its values at points.
  void (*weights_gradient)(const float* values, std::int64_t stride, float* gradient);

  void (*multiply)(const PointProduct& product);
  // u[l][lane] (+)= sum over rows of v[row][l] y[row][lane], at one point.
  void (*correlate)(const float* v, const float* y, std::int64_t rows, bool accumulate, float* u);
};

// Of the elements that an operator has.
template <typename Element>
[[nodiscard]] const WinogradEnds<Element>& ends_of(const WinogradLoops& loops) {
  if constexpr (kTypeOf<Element> == DataType::bf16) {
    return loops.halves;
  } else {
    return loops.floats;
  }
}

// The scheme for square kernels of `taps` with `outputs` results a side on this machine; null where there is none.
[[nodiscard]] const WinogradLoops* winograd_loops(int taps, int outputs);

}  // namespace convoy::kernels::simd
