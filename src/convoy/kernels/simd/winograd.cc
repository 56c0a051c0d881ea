// Compiled once for each instruction set, like loops.cc.
#include "convoy/kernels/simd/winograd.h"

#include <utility>

#include "convoy/kernels/simd/vector.h"
#include "convoy/kernels/simd/winograd_transforms.h"

namespace convoy::kernels::simd {
inline namespace CONVOY_SIMD {
namespace {

bool lies_inside(const TilePlace& place, int size) {
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
  alignas(64) float pixels[kSize * kSize * kBlock];
  for (int i = 0; i < kSize; ++i) {
    for (int j = 0; j < kSize; ++j) {
      const int h = place.top + i;
      const int w = place.left + j;
      const bool inside = h >= 0 && h < place.height && w >= 0 && w < place.width;
      store(pixels + (i * kSize + j) * kBlock, inside ? load(first + i * row + j * kBlock) : Vector{});
    }
  }
  body([&](int i, int j) { return load(pixels + (i * kSize + j) * kBlock); });
}

template <int kPairs, int kTaps, typename Element>
void source_tile(const Element* plane, TilePlace place, float* values, std::int64_t stride) {
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
          for (int j = 0; j < kPoints; ++j) store(values + (i * kPoints + j) * stride, y[j]);
        }
      });
}

template <int kPairs, int kTaps, typename Element>
void gradient_tile(const Element* plane, TilePlace place, float* values, std::int64_t stride, float* sum) {
  constexpr int kOutputs = kOutputsOf<kPairs, kTaps>;
  Vector total{};
  with_pixels<kOutputs, kOutputs>(
      plane, place, [&](const auto& pixel) __attribute__((always_inline)) {
        const auto counted = [&](int i, int j) __attribute__((always_inline)) {
          const Vector v = pixel(i, j);
          total += v;
          return v;
        };
        evaluate_tile<kPairs, kOutputs, false>(counted, values, stride);
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

template <int kPairs, int kTaps, typename Element>
void weights_square(const Element* weights, float* values, std::int64_t stride) {
  for (int in = 0; in < kBlock; ++in) {
    const Element* row = weights + in * kBlock;
    evaluate_tile<kPairs, kTaps, true>([&](int i, int j) { return load(row + (i * kTaps + j) * kBlock * kBlock); },
                                       values + in * kBlock, stride);
  }
}

// Interleaves the first or the second halves of two registers, lane by lane.
template <int kHalf, int... kLane>
[[gnu::always_inline]] inline Vector interleave(Vector a, Vector b, std::integer_sequence<int, kLane...> /*lanes*/) {
  return __builtin_shufflevector(a, b, (kHalf * kBlock / 2 + kLane / 2 + kLane % 2 * kBlock)...);
}

// Transposes a square of kBlock x kBlock: interleaving rows that are half the square apart does that after log2(kBlock)
// rounds.
template <typename Element>
void transpose(const Element* from, float* to) {
  constexpr std::make_integer_sequence<int, kBlock> kLanes;
  Vector rows[kBlock];
  Vector next[kBlock];
#pragma GCC unroll 16
  for (int i = 0; i < kBlock; ++i) rows[i] = load(from + i * kBlock);
#pragma GCC unroll 4
  for (int times = kBlock; times > 1; times /= 2) {
#pragma GCC unroll 16
    for (int i = 0; i < kBlock / 2; ++i) {
      next[2 * i] = interleave<0>(rows[i], rows[i + kBlock / 2], kLanes);
      next[2 * i + 1] = interleave<1>(rows[i], rows[i + kBlock / 2], kLanes);
    }
#pragma GCC unroll 16
    for (int i = 0; i < kBlock; ++i) rows[i] = next[i];
  }
#pragma GCC unroll 16
  for (int i = 0; i < kBlock; ++i) store(to + i * kBlock, rows[i]);
}

template <int kPairs, int kTaps, typename Element>
void rotated_weights_square(const Element* weights, float* values, std::int64_t stride) {
  constexpr int kSquare = kBlock * kBlock;
  alignas(64) float turned[kTaps * kTaps * kSquare];
  for (int tap = 0; tap < kTaps * kTaps; ++tap) {
    transpose(weights + tap * kSquare, turned + (kTaps * kTaps - 1 - tap) * kSquare);
  }
  weights_square<kPairs, kTaps>(turned, values, stride);
}

template <int kPairs, int kTaps>
void weights_gradient_square(const float* values, std::int64_t stride, float* gradient) {
  for (int in = 0; in < kBlock; ++in) {
    float* row = gradient + in * kBlock;
    collect_tile<kPairs, kTaps, true>(values + in * kBlock, stride, [&](int i, int j, Vector v) {
      store(row + (i * kTaps + j) * kBlock * kBlock, v);
    });
  }
}

// Accumulators for kRows tiles and kColumns blocks of channels stay in registers.
#if defined(__AVX512F__)
constexpr int kMostRows = 14;
#else
constexpr int kMostRows = 6;
#endif

template <int kRows, int kColumns>
void multiply_rows(const PointProduct& p, int first) {
  Vector sums[kRows][kColumns];
  float* m = p.m + first * kBlock;
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (int c = 0; c < kColumns; ++c) sums[r][c] = p.accumulate ? load(m + c * p.m_column + r * kBlock) : Vector{};
  }
  for (int k = 0; k < p.blocks; ++k) {
    const float* v = p.v + k * p.v_block + first * kBlock;
    const float* u = p.u + k * p.u_block;
    for (int l = 0; l < kBlock; ++l) {
      Vector factors[kColumns];
#pragma GCC unroll 2
      for (int c = 0; c < kColumns; ++c) factors[c] = load(u + c * p.u_column + l * kBlock);
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
        const Vector value = all(v[r * kBlock + l]);
#pragma GCC unroll 2
        for (int c = 0; c < kColumns; ++c) sums[r][c] += value * factors[c];
      }
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (int c = 0; c < kColumns; ++c) store(m + c * p.m_column + r * kBlock, sums[r][c]);
  }
}

template <int kRows, int kColumns>
void multiply_rest(const PointProduct& p, int first, int rows) {
  if constexpr (kRows > 0) {
    if (rows == kRows) {
      multiply_rows<kRows, kColumns>(p, first);
    } else {
      multiply_rest<kRows - 1, kColumns>(p, first, rows);
    }
  }
}

template <int kColumns>
void multiply_columns(const PointProduct& p) {
  // Divided into shares of about the same size: a last share of a few rows would keep the units waiting for each other.
  const int shares = (p.rows + kMostRows - 1) / kMostRows;
  int first = 0;
  for (int s = 0; s < shares; ++s) {
    const int rows = (p.rows - first) / (shares - s);
    multiply_rest<kMostRows, kColumns>(p, first, rows);
    first += rows;
  }
}

void multiply(const PointProduct& product) {
  PointProduct part = product;
  for (int column = 0; column < product.columns; column += part.columns) {
    part.columns = product.columns - column >= 2 ? 2 : 1;
    part.u = product.u + column * product.u_column;
    part.m = product.m + column * product.m_column;
    if (part.columns == 2) {
      multiply_columns<2>(part);
    } else {
      multiply_columns<1>(part);
    }
  }
}

void correlate(const float* v, const float* y, std::int64_t rows, bool accumulate, float* u) {
  Vector sums[kBlock];
#pragma GCC unroll 16
  for (int l = 0; l < kBlock; ++l) sums[l] = accumulate ? load(u + l * kBlock) : Vector{};
  for (std::int64_t row = 0; row < rows; ++row) {
    const Vector factor = load(y + row * kBlock);
#pragma GCC unroll 16
    for (int l = 0; l < kBlock; ++l) sums[l] += all(v[row * kBlock + l]) * factor;
  }
#pragma GCC unroll 16
  for (int l = 0; l < kBlock; ++l) store(u + l * kBlock, sums[l]);
}

template <int kPairs, int kTaps, typename Element>
constexpr WinogradEnds<Element> ends() {
  return {.source_tile = source_tile<kPairs, kTaps, Element>,
          .gradient_tile = gradient_tile<kPairs, kTaps, Element>,
          .result_tile = result_tile<kPairs, kTaps, Element>,
          .weights = weights_square<kPairs, kTaps, Element>,
          .rotated_weights = rotated_weights_square<kPairs, kTaps, Element>};
}

template <int kPairs, int kTaps>
constexpr WinogradLoops scheme() {
  return {.block = kBlock,
          .taps = kTaps,
          .outputs = kOutputsOf<kPairs, kTaps>,
          .points = kPointsOf<kPairs>,
          .floats = ends<kPairs, kTaps, float>(),
          .halves = ends<kPairs, kTaps, BFloat16>(),
          .weights_gradient = weights_gradient_square<kPairs, kTaps>,
          .multiply = multiply,
          .correlate = correlate};
}

}  // namespace

// Initialised at compile time, because no code of this file may run on a processor that it was not made for.
extern const WinogradLoops kWinograd[kWinogradSchemes];
constinit const WinogradLoops kWinograd[kWinogradSchemes] = {scheme<1, 3>(), scheme<2, 3>(), scheme<3, 3>(),
                                                             scheme<2, 5>(), scheme<3, 5>()};

}  // namespace CONVOY_SIMD
}  // namespace convoy::kernels::simd
