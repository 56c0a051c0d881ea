// The steps of a winograd convolution: tiles of an image are transformed to values "at points", where a convolution is
// a product of matrices, and results are transformed back. A scheme has `taps` x `taps` weights and computes `outputs`
// x `outputs` results from a tile of `points` x `points` pixels, with points x points products for each pair of
// channels (products.h).
//
// Values at points are in matrices, one per point, that are `stride` floats apart. The rows of such a matrix are tiles
// or, if it holds weights, input channels; each row is one block of channels.
#pragma once

#include <cstdint>

#include "convoy/kernels/activation.h"
#include "convoy/kernels/simd/products.h"
#include "convoy/tensor/data_type.h"

namespace convoy::kernels::simd {

// The place of a tile: its first pixel, which may be in the padding, and the size of the image.
struct TilePlace {
  int top, left;
  int height, width;
};

template <typename Element>
struct PlaneTile {
  const Element* plane;
  TilePlace place;
};

inline constexpr int kWinogradSchemes = 5;
inline constexpr int kPairedWinogradSchemes = 3;

// The steps that read or write images and weights in memory, where elements are float or BFloat16. Values at points are
// in cells (products.h).
template <typename Element, typename Cell>
struct WinogradEnds {
  // Transforms a tile of the source to points; pixels outside the image are zero. The numbers of a row of cells are
  // channels next to each other.
  void (*source_row)(const PlaneTile<Element>& tile, Cell* values, std::int64_t stride);
  // The same for sums over tiles, for as many tiles as a cell has numbers: each cell has a number of each tile. Those
  // of tiles from `count` on are zero.
  void (*source_tiles)(const PlaneTile<Element>* tiles, int count, Cell* values, std::int64_t stride);
  // The same for tiles of the gradient of the results; their pixels are also added to `sum`, channel by channel.
  void (*gradient_tiles)(const PlaneTile<Element>* tiles, int count, Cell* values, std::int64_t stride, float* sum);
  // Transforms the results of a tile back, adds the bias (one value for each lane, or null), applies the activation,
  // and writes the part of the tile that is inside the plane.
  void (*result_tile)(const float* values, std::int64_t stride, TilePlace place, const float* bias,
                      Activation activation, Element* plane);

  // Transforms a square of weights, one block of channels by another, from [tap][in][out] to points [in][out], or with
  // pairs [in / 2][out][in % 2].
  void (*weights)(const Element* weights, Cell* values, std::int64_t stride);
  // The same with the taps in reverse order and the roles of the channels exchanged, as needed for the gradient of the
  // source: points [out][in].
  void (*rotated_weights)(const Element* weights, Cell* values, std::int64_t stride);
};

struct WinogradLoops {
  int block;
  int taps, outputs, points;

  WinogradEnds<float, float> floats;
  WinogradEnds<BFloat16, float> halves;

  // The gradient of a square of weights, from the gradient of its values at points.
  void (*weights_gradient)(const float* values, std::int64_t stride, float* gradient);
};

// A scheme whose values at points are pairs.
struct PairedWinograd {
  int taps, outputs;
  WinogradEnds<BFloat16, BFloat16Pair> ends;
};

// The scheme for square kernels of `taps` with `outputs` results per side on this machine; null if there is none.
[[nodiscard]] const WinogradLoops* winograd_loops(int taps, int outputs);

// The steps of that scheme with pairs at points; null if this machine has no instructions for them, or if a scheme has
// so many points that results from bf16 numbers would be too rough.
[[nodiscard]] const WinogradEnds<BFloat16, BFloat16Pair>* winograd_pairs(int taps, int outputs);

}  // namespace convoy::kernels::simd
