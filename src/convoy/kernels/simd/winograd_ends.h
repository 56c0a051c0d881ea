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

// Calls body with a function that returns the pixels of a tile of kSize; tiles begin every kStep pixels. Most tiles
// need no check for borders. `first` may point before the image, but is never read there.
template <int kSize, int kStep, typename Element, typename Body>
[[gnu::always_inline]] inline void with_pixels(const Element* plane, const TilePlace& place, const Body& body) {
  const Element* first = plane + (static_cast<std::int64_t>(place.top) * place.width + place.left) * kBlock;
  const std::int64_t row = static_cast<std::int64_t>(place.width) * kBlock;
  fetch_tile_below<kSize, kStep>(first, row);
  if (lies_inside(place, kSize)) {
    body([&](int i, int j) { return load(first + i * row + j * kBlock); });
    return;
  }
  // Pixels outside are read from zeros. Choosing an address takes less time than a branch for each pixel.
  alignas(64) static constexpr Element kZeros[kBlock]{};
  bool rows[kSize];
  bool columns[kSize];
  for (int i = 0; i < kSize; ++i) {
    rows[i] = place.top + i >= 0 && place.top + i < place.height;
    columns[i] = place.left + i >= 0 && place.left + i < place.width;
  }
  body([&](int i, int j) {
    const Element* const at = first + i * row + j * kBlock;
    return load(rows[i] && columns[j] ? at : kZeros);
  });
}

// Gives the values at points of a tile of the source to put(point, value).
template <int kPairs, int kTaps, typename Element, typename Put>
[[gnu::always_inline]] inline void transform_source(const Element* plane, const TilePlace& place, const Put& put) {
  constexpr int kPoints = kPointsOf<kPairs>;
  with_pixels<kPoints, kOutputsOf<kPairs, kTaps>>(
      plane, place, [&](const auto& pixel) __attribute__((always_inline)) {
        alignas(64) Vector columns[kPoints][kPoints];
        for (int j = 0; j < kPoints; ++j) {
          Vector x[kPoints];
          Vector y[kPoints];
#pragma GCC unroll 8
          for (int i = 0; i < kPoints; ++i) x[i] = pixel(i, j);
          source_line<kPairs>(x, y);
#pragma GCC unroll 8
          for (int i = 0; i < kPoints; ++i) columns[i][j] = y[i];
        }
        for (int i = 0; i < kPoints; ++i) {
          Vector y[kPoints];
          source_line<kPairs>(columns[i], y);
#pragma GCC unroll 8
          for (int j = 0; j < kPoints; ++j) put(i * kPoints + j, y[j]);
        }
      });
}

template <int kPairs, int kTaps, typename Element, typename Cell>
void source_row(const Element* plane, TilePlace place, Cell* values, std::int64_t stride) {
  transform_source<kPairs, kTaps>(
      plane, place, [&](int point, Vector v) __attribute__((always_inline)) { store_row(values + point * stride, v); });
}

template <int kPairs, int kTaps, int kPart, typename Element, typename Cell>
void source_part(const Element* plane, TilePlace place, Cell* values, std::int64_t stride) {
  transform_source<kPairs, kTaps>(
      plane, place, [&](int point, Vector v) __attribute__((always_inline)) {
        store_part<kPart>(values + point * stride, v);
      });
}

template <int kPairs, int kTaps, int kPart, typename Element, typename Cell>
void gradient_part(const Element* plane, TilePlace place, Cell* values, std::int64_t stride, float* sum) {
  constexpr int kOutputs = kOutputsOf<kPairs, kTaps>;
  Vector total{};
  with_pixels<kOutputs, kOutputs>(
      plane, place, [&](const auto& pixel) __attribute__((always_inline)) {
        const auto counted = [&](int i, int j) __attribute__((always_inline)) {
          const Vector v = pixel(i, j);
          total += v;
          return v;
        };
        evaluate_tile<kPairs, kOutputs, false>(
            counted, [&](int point, Vector v)
                         __attribute__((always_inline)) { store_part<kPart>(values + point * stride, v); });
      });
  store(sum, load(sum) + total);
}

template <int kPairs, int kTaps, typename Element>
void result_tile(const float* values, std::int64_t stride, TilePlace place, const float* bias, Activation activation,
                 Element* plane) {
  constexpr int kOutputs = kOutputsOf<kPairs, kTaps>;
  const Vector shift = bias == nullptr ? Vector{} : load(bias);
  Element* first = plane + (static_cast<std::int64_t>(place.top) * place.width + place.left) * kBlock;
  const std::int64_t row = static_cast<std::int64_t>(place.width) * kBlock;
  const bool inside = lies_inside(place, kOutputs);
  fetch_tile_below<kOutputs, kOutputs>(first, row);
  for_activation(activation, [&]<Activation kActivation>() {
    collect_tile<kPairs, kOutputs, false>(
        values, stride, [&](int i, int j, Vector v) __attribute__((always_inline)) {
          if (inside || (place.top + i < place.height && place.left + j < place.width)) {
            store(first + i * row + j * kBlock, activated<kActivation>(v + shift));
          }
        });
  });
}

template <int kPairs, int kTaps, int kPart, typename Element, typename Cell>
void weights_part(const Element* weights, Cell* values, std::int64_t stride) {
  evaluate_tile<kPairs, kTaps, true>([&](int i, int j) { return load(weights + (i * kTaps + j) * kBlock * kBlock); },
                                     [&](int point, Vector v) { store_part<kPart>(values + point * stride, v); });
}

template <int kPairs, int kTaps, typename Element, typename Cell>
void weights_square(const Element* weights, Cell* values, std::int64_t stride) {
  for (int in = 0; in < kBlock; in += kNumbersIn<Cell>) {
    weights_part<kPairs, kTaps, 0>(weights + in * kBlock, values, stride);
    if constexpr (kNumbersIn < Cell >> 1) weights_part<kPairs, kTaps, 1>(weights + (in + 1) * kBlock, values, stride);
    values += kBlock;
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
  constexpr int kLast = kNumbersIn<Cell> - 1;
  return {
      .source_row = source_row<kPairs, kTaps, Element, Cell>,
      .source_part = {source_part<kPairs, kTaps, 0, Element, Cell>, source_part<kPairs, kTaps, kLast, Element, Cell>},
      .gradient_part = {gradient_part<kPairs, kTaps, 0, Element, Cell>,
                        gradient_part<kPairs, kTaps, kLast, Element, Cell>},
      .result_tile = result_tile<kPairs, kTaps, Element>,
      .weights = weights_square<kPairs, kTaps, Element, Cell>,
      .rotated_weights = rotated_weights_square<kPairs, kTaps, Element, Cell>};
}

}  // namespace CONVOY_SIMD
}  // namespace convoy::kernels::simd
