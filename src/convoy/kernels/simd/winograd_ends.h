// The steps of winograd.h that read or write images and weights, for files that are compiled once for each instruction
// set.
#pragma once

#include "convoy/kernels/simd/cells.h"
#include "convoy/kernels/simd/square.h"
#include "convoy/kernels/simd/winograd.h"
#include "convoy/kernels/simd/winograd_transforms.h"

namespace convoy::kernels::simd {
inline namespace CONVOY_SIMD {

inline bool lies_inside(const TilePlace& place, int size) {
  return place.top >= 0 && place.left >= 0 && place.top + size <= place.height && place.left + size <= place.width;
}

// Prefetches the pixels that the tile below will need: tiles are too far apart in memory for the processor to do so by
// itself. At an image's end these are the first pixels of the next one.
template <int kSize, int kStep, typename Element>
[[gnu::always_inline]] inline void fetch_tile_below(const Element* first, std::int64_t row) {
  const Element* below = first + kSize * row;
#pragma GCC unroll 8
  for (int i = 0; i < kStep; ++i) {
#pragma GCC unroll 8
    for (int j = 0; j < kStep; ++j) __builtin_prefetch(below + i * row + j * kBlock);
  }
}

// Calls body with two functions: one returns the pixels of a tile of kSize, the other tells which columns of these are
// inside the image; the rest is not read. Most tiles need no check for borders. Tiles begin every kStep pixels. `first`
// may point before the image, but is never read there.
template <int kSize, int kStep, typename Element, typename Body>
[[gnu::always_inline]] inline void with_pixels(const PlaneTile<Element>& tile, const Body& body) {
  const TilePlace& place = tile.place;
  const Element* first = tile.plane + (static_cast<std::int64_t>(place.top) * place.width + place.left) * kBlock;
  const std::int64_t row = static_cast<std::int64_t>(place.width) * kBlock;
  fetch_tile_below<kSize, kStep>(first, row);
  if (lies_inside(place, kSize)) {
    body([&](int i, int j) { return load(first + i * row + j * kBlock); }, [](int) { return true; });
    return;
  }
  // Rows outside are read from zeros: choosing an address takes less time than branches.
  alignas(64) static constexpr Element kZeros[kSize * kBlock]{};
  const Element* rows[kSize];
  for (int i = 0; i < kSize; ++i) {
    const bool is_inside = place.top + i >= 0 && place.top + i < place.height;
    rows[i] = is_inside ? first + i * row : kZeros;
  }
  body([&](int i, int j) { return load(rows[i] + j * kBlock); },
       [&](int j) { return place.left + j >= 0 && place.left + j < place.width; });
}

// The first step of the source's transform, along columns.
template <int kPairs, int kTaps, typename Element>
[[gnu::always_inline]] inline void source_columns(const PlaneTile<Element>& tile,
                                                  Vector (&columns)[kPointsOf<kPairs>][kPointsOf<kPairs>]) {
  constexpr int kPoints = kPointsOf<kPairs>;
  with_pixels<kPoints, kOutputsOf<kPairs, kTaps>>(
      tile, [&](const auto& pixel, const auto& has_column) __attribute__((always_inline)) {
#pragma GCC unroll 8
        for (int j = 0; j < kPoints; ++j) {
          Vector x[kPoints];
          Vector y[kPoints]{};
          if (has_column(j)) {
#pragma GCC unroll 8
            for (int i = 0; i < kPoints; ++i) x[i] = pixel(i, j);
            source_line<kPairs>(x, y);
          }
#pragma GCC unroll 8
          for (int i = 0; i < kPoints; ++i) columns[i][j] = y[i];
        }
      });
}

// The second step, along rows of several tiles: gives their values at points to put(point, values).
template <int kPairs, int kTiles, typename Put>
[[gnu::always_inline]] inline void source_rows(const Vector (&columns)[kTiles][kPointsOf<kPairs>][kPointsOf<kPairs>],
                                               const Put& put) {
#pragma GCC unroll 8
  for (int i = 0; i < kPointsOf<kPairs>; ++i) {
    Vector y[kTiles][kPointsOf<kPairs>];
#pragma GCC unroll 2
    for (int t = 0; t < kTiles; ++t) source_line<kPairs>(columns[t][i], y[t]);
    put_row(i, y, put);
  }
}

template <int kPairs, int kTaps, typename Element, typename Cell>
void source_row(const PlaneTile<Element>& tile, Cell* values, std::int64_t stride) {
  alignas(64) Vector columns[1][kPointsOf<kPairs>][kPointsOf<kPairs>];
  source_columns<kPairs, kTaps>(tile, columns[0]);
  source_rows<kPairs>(
      columns, [&](int point, const Vector(&v)[1])
                   __attribute__((always_inline)) { store_row(values + point * stride, v[0]); });
}

template <int kPairs, int kTaps, typename Element, typename Cell>
void source_tiles(const PlaneTile<Element>* tiles, int count, Cell* values, std::int64_t stride) {
  constexpr int kTiles = kNumbersIn<Cell>;
  alignas(64) Vector columns[kTiles][kPointsOf<kPairs>][kPointsOf<kPairs>];
  for (int t = 0; t < count; ++t) source_columns<kPairs, kTaps>(tiles[t], columns[t]);
  if (count < kTiles) clear(columns[count]);
  source_rows<kPairs>(
      columns, [&](int point, const Vector(&v)[kTiles])
                   __attribute__((always_inline)) { store_cells(values + point * stride, v); });
}

template <int kPairs, int kTaps, typename Element, typename Cell>
void gradient_tiles(const PlaneTile<Element>* tiles, int count, Cell* values, std::int64_t stride, float* sum) {
  constexpr int kTiles = kNumbersIn<Cell>;
  constexpr int kOutputs = kOutputsOf<kPairs, kTaps>;
  alignas(64) Vector columns[kTiles][kPointsOf<kPairs>][kOutputs];
  Vector total{};
  for (int t = 0; t < count; ++t) {
    with_pixels<kOutputs, kOutputs>(
        tiles[t], [&](const auto& pixel, const auto& has_column) __attribute__((always_inline)) {
          const auto counted = [&](int i, int j) __attribute__((always_inline)) {
            const Vector v = pixel(i, j);
            total += v;
            return v;
          };
          evaluate_columns<kPairs, kOutputs, false>(counted, has_column, columns[t]);
        });
  }
  if (count < kTiles) clear(columns[count]);
  evaluate_rows<kPairs, kOutputs, false>(
      columns, [&](int point, const Vector(&v)[kTiles])
                   __attribute__((always_inline)) { store_cells(values + point * stride, v); });
  store(sum, load(sum) + total);
}

template <int kPairs, int kTaps, Activation kActivation, typename Element>
void activated_result_tile(const float* values, std::int64_t stride, TilePlace place, const float* bias,
                           Element* plane) {
  constexpr int kOutputs = kOutputsOf<kPairs, kTaps>;
  const Vector shift = bias == nullptr ? Vector{} : load(bias);
  Element* first = plane + (static_cast<std::int64_t>(place.top) * place.width + place.left) * kBlock;
  const std::int64_t row = static_cast<std::int64_t>(place.width) * kBlock;
  const bool inside = lies_inside(place, kOutputs);
  fetch_tile_below<kOutputs, kOutputs>(first, row);
  collect_tile<kPairs, kOutputs, false>(
      values, stride, [&](int i, int j, Vector v) __attribute__((always_inline)) {
        if (inside || (place.top + i < place.height && place.left + j < place.width)) {
          store(first + i * row + j * kBlock, activated<kActivation>(v + shift));
        }
      });
}

// One function for each activation: what it computes with stays in registers.
template <int kPairs, int kTaps, typename Element>
void result_tile(const float* values, std::int64_t stride, TilePlace place, const float* bias, Activation activation,
                 Element* plane) {
  for_activation(activation, [&]<Activation kActivation>() {
    activated_result_tile<kPairs, kTaps, kActivation>(values, stride, place, bias, plane);
  });
}

template <int kPairs, int kTaps, typename Element, typename Cell>
void weights_square(const Element* weights, Cell* values, std::int64_t stride) {
  constexpr int kRows = kNumbersIn<Cell>;
  for (int in = 0; in < kBlock; in += kRows, weights += kRows * kBlock, values += kBlock) {
    alignas(64) Vector columns[kRows][kPointsOf<kPairs>][kTaps];
    for (int r = 0; r < kRows; ++r) {
      evaluate_columns<kPairs, kTaps, true>(
          [&](int i, int j) { return load(weights + r * kBlock + (i * kTaps + j) * kBlock * kBlock); },
          [](int) { return true; }, columns[r]);
    }
    evaluate_rows<kPairs, kTaps, true>(
        columns, [&](int point, const Vector(&v)[kRows]) { store_cells(values + point * stride, v); });
  }
}

template <int kPairs, int kTaps, typename Element, typename Cell>
void rotated_weights_square(const Element* weights, Cell* values, std::int64_t stride) {
  constexpr int kSquare = kBlock * kBlock;
  alignas(64) float turned[kTaps * kTaps * kSquare];
  for (int tap = 0; tap < kTaps * kTaps; ++tap) {
    transpose(weights + tap * kSquare, turned + (kTaps * kTaps - 1 - tap) * kSquare);
  }
  weights_square<kPairs, kTaps>(turned, values, stride);
}

template <int kPairs, int kTaps, typename Element, typename Cell>
constexpr WinogradEnds<Element, Cell> ends() {
  return {.source_row = source_row<kPairs, kTaps, Element, Cell>,
          .source_tiles = source_tiles<kPairs, kTaps, Element, Cell>,
          .gradient_tiles = gradient_tiles<kPairs, kTaps, Element, Cell>,
          .result_tile = result_tile<kPairs, kTaps, Element>,
          .weights = weights_square<kPairs, kTaps, Element, Cell>,
          .rotated_weights = rotated_weights_square<kPairs, kTaps, Element, Cell>};
}

}  // namespace CONVOY_SIMD
}  // namespace convoy::kernels::simd
