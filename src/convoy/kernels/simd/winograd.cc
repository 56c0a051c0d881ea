// Compiled once for each instruction set, like loops.cc.
//
// In one dimension, results y_k = sum_j w_j x_(k+j) come from y = C (E w / s * B x): E evaluates a polynomial with the
// weights as coefficients at the points 0, +-p1, +-p2, ... and infinity, C is the transpose of such an E, and B and s
// make it the inverse of Toom and Cook. Points come in pairs +-p, so that even and odd parts are computed once for
// both. In two dimensions the same is done along columns and then along rows.
#include "convoy/kernels/simd/winograd.h"

#include <utility>

#include "convoy/kernels/simd/vector.h"

namespace convoy::kernels::simd {
inline namespace CONVOY_SIMD {
namespace {

// The positive one of each pair of points. Small powers and inverses keep rounding errors small.
template <int kPairs>
struct Points;
template <>
struct Points<1> {
  static constexpr double kValue[] = {1.0};
};
template <>
struct Points<2> {
  static constexpr double kValue[] = {0.625, 1.5};
};
template <>
struct Points<3> {
  static constexpr double kValue[] = {0.5, 1.0, 2.0};
};

template <int kPairs>
struct Coefficients {
  double of[kPairs + 1];
};

// Coefficients of the product of (z - p^2) over all pairs but `without`.
template <int kPairs>
constexpr Coefficients<kPairs> product_of_pairs(int without) {
  Coefficients<kPairs> c{{1.0}};
  int degree = 0;
  for (int p = 0; p < kPairs; ++p) {
    if (p == without) continue;
    const double square = Points<kPairs>::kValue[p] * Points<kPairs>::kValue[p];
    ++degree;
    for (int i = degree; i > 0; --i) c.of[i] = c.of[i - 1] - square * c.of[i];
    c.of[0] *= -square;
  }
  return c;
}

template <int kPairs>
struct Tables {
  Coefficients<kPairs> whole = product_of_pairs<kPairs>(-1);
  Coefficients<kPairs> without[kPairs]{};
  float power[kPairs][8]{};   // of each point
  float scale[kPairs + 2]{};  // of weights at zero, at each pair, at infinity

  constexpr Tables() {
    scale[0] = static_cast<float>(1.0 / whole.of[0]);
    scale[kPairs + 1] = 1.0F;
    for (int p = 0; p < kPairs; ++p) {
      without[p] = product_of_pairs<kPairs>(p);
      const double point = Points<kPairs>::kValue[p];
      double power_of = 1.0;
      for (float& one : power[p]) {
        one = static_cast<float>(power_of);
        power_of *= point;
      }
      double value = 0.0;
      for (int i = kPairs - 1; i >= 0; --i) value = value * point * point + without[p].of[i];
      scale[p + 1] = static_cast<float>(1.0 / (2.0 * point * point * value));
    }
  }
};

template <int kPairs>
inline constexpr Tables<kPairs> kTables{};

// B: a line of pixels to the points.
template <int kPairs>
[[gnu::always_inline]] inline void source_line(const Vector* x, Vector* y) {
  const Tables<kPairs>& t = kTables<kPairs>;
  Vector zero = static_cast<float>(t.whole.of[0]) * x[0];
  Vector infinity = static_cast<float>(t.whole.of[0]) * x[1];
#pragma GCC unroll 8
  for (int i = 1; i <= kPairs; ++i) {
    zero += static_cast<float>(t.whole.of[i]) * x[2 * i];
    infinity += static_cast<float>(t.whole.of[i]) * x[2 * i + 1];
  }
  y[0] = zero;
  y[2 * kPairs + 1] = infinity;
#pragma GCC unroll 8
  for (int p = 0; p < kPairs; ++p) {
    Vector even = static_cast<float>(t.without[p].of[0]) * x[2];
    Vector odd = static_cast<float>(t.without[p].of[0]) * x[1];
#pragma GCC unroll 8
    for (int i = 1; i < kPairs; ++i) {
      even += static_cast<float>(t.without[p].of[i]) * x[2 * i + 2];
      odd += static_cast<float>(t.without[p].of[i]) * x[2 * i + 1];
    }
    odd *= t.power[p][1];
    y[2 * p + 1] = even + odd;
    y[2 * p + 2] = even - odd;
  }
}

// E: a polynomial's coefficients to its values at the points.
template <int kPairs, int kCount>
[[gnu::always_inline]] inline void evaluate_line(const Vector* x, Vector* y) {
  const Tables<kPairs>& t = kTables<kPairs>;
  y[0] = x[0];
  y[2 * kPairs + 1] = x[kCount - 1];
#pragma GCC unroll 8
  for (int p = 0; p < kPairs; ++p) {
    Vector even = x[0];
    Vector odd = t.power[p][1] * x[1];
#pragma GCC unroll 8
    for (int i = 2; i < kCount; i += 2) even += t.power[p][i] * x[i];
#pragma GCC unroll 8
    for (int i = 3; i < kCount; i += 2) odd += t.power[p][i] * x[i];
    y[2 * p + 1] = even + odd;
    y[2 * p + 2] = even - odd;
  }
}

// C: the transpose of that.
template <int kPairs, int kCount>
[[gnu::always_inline]] inline void collect_line(const Vector* y, Vector* x) {
  const Tables<kPairs>& t = kTables<kPairs>;
  Vector sum[kPairs];
  Vector difference[kPairs];
#pragma GCC unroll 8
  for (int p = 0; p < kPairs; ++p) {
    sum[p] = y[2 * p + 1] + y[2 * p + 2];
    difference[p] = y[2 * p + 1] - y[2 * p + 2];
  }
#pragma GCC unroll 8
  for (int k = 0; k < kCount; ++k) {
    Vector total = k == 0 ? y[0] : k == kCount - 1 ? y[2 * kPairs + 1] : Vector{};
#pragma GCC unroll 8
    for (int p = 0; p < kPairs; ++p) total += t.power[p][k] * (k % 2 == 0 ? sum[p] : difference[p]);
    x[k] = total;
  }
}

template <int kPairs>
[[gnu::always_inline]] inline void scale_line(Vector* y) {
  const Tables<kPairs>& t = kTables<kPairs>;
  y[0] *= t.scale[0];
#pragma GCC unroll 8
  for (int i = 1; i <= 2 * kPairs; ++i) y[i] *= t.scale[(i + 1) / 2];
}

// kCount x kCount values that `get(row, column)` gives to points.
template <int kPairs, int kCount, bool kScaled, typename Get>
[[gnu::always_inline]] inline void evaluate_tile(const Get& get, float* values, std::int64_t stride) {
  constexpr int kPoints = 2 * kPairs + 2;
  Vector columns[kPoints][kCount];
#pragma GCC unroll 8
  for (int j = 0; j < kCount; ++j) {
    Vector x[kCount];
    Vector y[kPoints];
#pragma GCC unroll 8
    for (int i = 0; i < kCount; ++i) x[i] = get(i, j);
    evaluate_line<kPairs, kCount>(x, y);
    if constexpr (kScaled) scale_line<kPairs>(y);
#pragma GCC unroll 8
    for (int i = 0; i < kPoints; ++i) columns[i][j] = y[i];
  }
  for (int i = 0; i < kPoints; ++i) {
    Vector y[kPoints];
    evaluate_line<kPairs, kCount>(columns[i], y);
    if constexpr (kScaled) scale_line<kPairs>(y);
#pragma GCC unroll 8
    for (int j = 0; j < kPoints; ++j) store(values + (i * kPoints + j) * stride, y[j]);
  }
}

// The transpose of that: kCount x kCount values, each given to `put(row, column, value)`.
template <int kPairs, int kCount, bool kScaled, typename Put>
[[gnu::always_inline]] inline void collect_tile(const float* values, std::int64_t stride, const Put& put) {
  constexpr int kPoints = 2 * kPairs + 2;
  Vector columns[kCount][kPoints];
  for (int j = 0; j < kPoints; ++j) {
    Vector y[kPoints];
    Vector x[kCount];
#pragma GCC unroll 8
    for (int i = 0; i < kPoints; ++i) y[i] = load(values + (i * kPoints + j) * stride);
    if constexpr (kScaled) scale_line<kPairs>(y);
    collect_line<kPairs, kCount>(y, x);
#pragma GCC unroll 8
    for (int i = 0; i < kCount; ++i) columns[i][j] = x[i];
  }
#pragma GCC unroll 8
  for (int i = 0; i < kCount; ++i) {
    Vector x[kCount];
    if constexpr (kScaled) scale_line<kPairs>(columns[i]);
    collect_line<kPairs, kCount>(columns[i], x);
#pragma GCC unroll 8
    for (int j = 0; j < kCount; ++j) put(i, j, x[j]);
  }
}

bool lies_inside(const TilePlace& place, int size) {
  return place.top >= 0 && place.left >= 0 && place.top + size <= place.height && place.left + size <= place.width;
}

// Asks for the pixels that the tile below will need: tiles are too far apart in memory for the processor to foresee it.
// At an image's end these are the first of the next one.
template <int kSize, int kStep, bool kWrite>
[[gnu::always_inline]] inline void fetch_tile_below(const float* first, std::int64_t row) {
  const float* below = first + kSize * row;
#pragma GCC unroll 8
  for (int i = 0; i < kStep; ++i) {
#pragma GCC unroll 8
    for (int j = 0; j < kStep; ++j) __builtin_prefetch(below + i * row + j * kBlock, kWrite ? 1 : 0);
  }
}

// Calls body with a function that gives the pixels of a tile of `kSize`; most tiles need no look at borders.
template <int kSize, int kStep, typename Body>
[[gnu::always_inline]] inline void with_pixels(const float* plane, const TilePlace& place, const Body& body) {
  const float* first = plane + (static_cast<std::int64_t>(place.top) * place.width + place.left) * kBlock;
  const std::int64_t row = static_cast<std::int64_t>(place.width) * kBlock;
  fetch_tile_below<kSize, kStep, false>(first, row);
  if (lies_inside(place, kSize)) {
    body([&](int i, int j) { return load(first + i * row + j * kBlock); });
    return;
  }
  float pixels[kSize * kSize * kBlock];
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

template <int kPairs, int kTaps>
void source_tile(const float* plane, TilePlace place, float* values, std::int64_t stride) {
  constexpr int kPoints = 2 * kPairs + 2;
  with_pixels<kPoints, kPoints + 1 - kTaps>(
      plane, place, [&](const auto& pixel) __attribute__((always_inline)) {
        Vector columns[kPoints][kPoints];
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

template <int kPairs, int kTaps>
void gradient_tile(const float* plane, TilePlace place, float* values, std::int64_t stride, float* sum) {
  constexpr int kOutputs = 2 * kPairs + 3 - kTaps;
  Vector total = load(sum);
  with_pixels<kOutputs, kOutputs>(
      plane, place, [&](const auto& pixel) __attribute__((always_inline)) {
        const auto counted = [&](int i, int j) __attribute__((always_inline)) {
          const Vector v = pixel(i, j);
          total += v;
          return v;
        };
        evaluate_tile<kPairs, kOutputs, false>(counted, values, stride);
      });
  store(sum, total);
}

template <int kPairs, int kTaps>
void result_tile(const float* values, std::int64_t stride, TilePlace place, const float* bias, Activation activation,
                 float* plane) {
  constexpr int kOutputs = 2 * kPairs + 3 - kTaps;
  const Vector shift = bias == nullptr ? Vector{} : load(bias);
  float* first = plane + (static_cast<std::int64_t>(place.top) * place.width + place.left) * kBlock;
  const std::int64_t row = static_cast<std::int64_t>(place.width) * kBlock;
  const bool inside = lies_inside(place, kOutputs);
  fetch_tile_below<kOutputs, kOutputs, true>(first, row);
  for_activation(activation, [&]<Activation kActivation>() {
    collect_tile<kPairs, kOutputs, false>(
        values, stride, [&](int i, int j, Vector v) __attribute__((always_inline)) {
          if (inside || (place.top + i < place.height && place.left + j < place.width)) {
            store(first + i * row + j * kBlock, activated<kActivation>(v + shift));
          }
        });
  });
}

template <int kPairs, int kTaps>
void weights_block(const float* weights, float* values, std::int64_t stride) {
  for (int in = 0; in < kBlock; ++in) {
    const float* row = weights + in * kBlock;
    evaluate_tile<kPairs, kTaps, true>([&](int i, int j) { return load(row + (i * kTaps + j) * kBlock * kBlock); },
                                       values + in * kBlock, stride);
  }
}

// The first or the second halves of two registers, lane by lane in turns.
template <int kHalf, int... kLane>
[[gnu::always_inline]] inline Vector interleave(Vector a, Vector b, std::integer_sequence<int, kLane...> /*lanes*/) {
  return __builtin_shufflevector(a, b, (kHalf * kBlock / 2 + kLane / 2 + kLane % 2 * kBlock)...);
}

// A square of kBlock x kBlock: interleaving rows that lie half the square apart turns it over after log2(kBlock) times.
void transpose(const float* from, float* to) {
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

template <int kPairs, int kTaps>
void turned_weights_block(const float* weights, float* values, std::int64_t stride) {
  constexpr int kSquare = kBlock * kBlock;
  float turned[kTaps * kTaps * kSquare];
  for (int tap = 0; tap < kTaps * kTaps; ++tap) {
    transpose(weights + tap * kSquare, turned + (kTaps * kTaps - 1 - tap) * kSquare);
  }
  weights_block<kPairs, kTaps>(turned, values, stride);
}

template <int kPairs, int kTaps>
void weights_gradient_block(const float* values, std::int64_t stride, float* gradient) {
  for (int in = 0; in < kBlock; ++in) {
    float* row = gradient + in * kBlock;
    collect_tile<kPairs, kTaps, true>(values + in * kBlock, stride, [&](int i, int j, Vector v) {
      store(row + (i * kTaps + j) * kBlock * kBlock, v);
    });
  }
}

// Accumulators of kRows tiles and kColumns blocks of channels stay in registers.
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
  // Shares of about the same size: a last one of a few rows would leave the units waiting for each other.
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

template <int kPairs, int kTaps>
constexpr WinogradLoops scheme() {
  return {.block = kBlock,
          .taps = kTaps,
          .outputs = 2 * kPairs + 3 - kTaps,
          .points = 2 * kPairs + 2,
          .source_tile = source_tile<kPairs, kTaps>,
          .gradient_tile = gradient_tile<kPairs, kTaps>,
          .result_tile = result_tile<kPairs, kTaps>,
          .weights = weights_block<kPairs, kTaps>,
          .turned_weights = turned_weights_block<kPairs, kTaps>,
          .weights_gradient = weights_gradient_block<kPairs, kTaps>,
          .multiply = multiply,
          .correlate = correlate};
}

}  // namespace

// The schemes there are, in the order that winograd_loops() looks for them.
extern const WinogradLoops kWinograd[kWinogradSchemes];
const WinogradLoops kWinograd[kWinogradSchemes] = {scheme<1, 3>(), scheme<2, 3>(), scheme<3, 3>(), scheme<2, 5>(),
                                                   scheme<3, 5>()};

}  // namespace CONVOY_SIMD
}  // namespace convoy::kernels::simd
