// The transforms of winograd convolutions. Like vector.h, for files that are compiled once for each instruction set.
//
// In one dimension, results y_k = sum_j w_j x_(k+j) are computed as y = C (E w / s * B x). E evaluates the polynomial
// with the weights as coefficients at the points 0, +-p1, +-p2, ... and infinity; C is the transpose of such an E; B
// and s make it the inverse of Toom and Cook. Points come in pairs +-p, so that even and odd parts are computed once
// for both. In two dimensions the same is done along columns and then along rows.
#pragma once

#include "convoy/kernels/simd/vector.h"

namespace convoy::kernels::simd {
inline namespace CONVOY_SIMD {

// The positive point of each pair. Among all multiples of one eighth these have the smallest rounding errors, or nearly
// so and are simpler.
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
inline constexpr int kPointsOf = 2 * kPairs + 2;
template <int kPairs, int kTaps>
inline constexpr int kOutputsOf = kPointsOf<kPairs> + 1 - kTaps;

// The coefficients of a polynomial in z, from the constant up.
template <int kPairs>
struct Coefficients {
  double of[kPairs + 1];
};

// The coefficients of the product of (z - p^2) over all pairs except `without`.
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
  float power[kPairs][8]{};   // powers of each point
  float scale[kPairs + 2]{};  // for weights at zero, at each pair, and at infinity

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

// B: transforms a line of pixels to points.
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

// E: evaluates a polynomial, given by its coefficients, at the points.
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

// C: the transpose of E.
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

// For the values of a tile after the first step of a transform.
template <int kRows, int kColumns>
[[gnu::always_inline]] inline void clear(Vector (&columns)[kRows][kColumns]) {
  for (auto& row : columns) {
    for (Vector& value : row) value = Vector{};
  }
}

// Gives the values of a row of points, of several tiles, to `put(point, values)`.
template <int kTiles, int kPoints, typename Put>
[[gnu::always_inline]] inline void put_row(int row, const Vector (&y)[kTiles][kPoints], const Put& put) {
#pragma GCC unroll 8
  for (int j = 0; j < kPoints; ++j) {
    Vector values[kTiles];
#pragma GCC unroll 2
    for (int t = 0; t < kTiles; ++t) values[t] = y[t][j];
    put(row * kPoints + j, values);
  }
}

template <int kPairs>
[[gnu::always_inline]] inline void scale_line(Vector* y) {
  const Tables<kPairs>& t = kTables<kPairs>;
  y[0] *= t.scale[0];
#pragma GCC unroll 8
  for (int i = 1; i <= 2 * kPairs; ++i) y[i] *= t.scale[(i + 1) / 2];
}

// The two steps from kCount x kCount values, which `get(row, column)` returns, to points. The first goes along columns;
// where has_column() is false, values are zero. The second goes along rows, of several tiles at once, and gives values
// of all of them to `put(point, values)`.
template <int kPairs, int kCount, bool kScaled, typename Get, typename HasColumn>
[[gnu::always_inline]] inline void evaluate_columns(const Get& get, const HasColumn& has_column,
                                                    Vector (&columns)[kPointsOf<kPairs>][kCount]) {
  constexpr int kPoints = kPointsOf<kPairs>;
#pragma GCC unroll 8
  for (int j = 0; j < kCount; ++j) {
    Vector x[kCount];
    Vector y[kPoints]{};
    if (has_column(j)) {
#pragma GCC unroll 8
      for (int i = 0; i < kCount; ++i) x[i] = get(i, j);
      evaluate_line<kPairs, kCount>(x, y);
      if constexpr (kScaled) scale_line<kPairs>(y);
    }
#pragma GCC unroll 8
    for (int i = 0; i < kPoints; ++i) columns[i][j] = y[i];
  }
}

template <int kPairs, int kCount, bool kScaled, int kTiles, typename Put>
[[gnu::always_inline]] inline void evaluate_rows(const Vector (&columns)[kTiles][kPointsOf<kPairs>][kCount],
                                                 const Put& put) {
  constexpr int kPoints = kPointsOf<kPairs>;
#pragma GCC unroll 8
  for (int i = 0; i < kPoints; ++i) {
    Vector y[kTiles][kPoints];
#pragma GCC unroll 2
    for (int t = 0; t < kTiles; ++t) {
      evaluate_line<kPairs, kCount>(columns[t][i], y[t]);
      if constexpr (kScaled) scale_line<kPairs>(y[t]);
    }
    put_row(i, y, put);
  }
}

// The transpose of both steps: gives kCount x kCount values to `put(row, column, value)`.
template <int kPairs, int kCount, bool kScaled, typename Put>
[[gnu::always_inline]] inline void collect_tile(const float* values, std::int64_t stride, const Put& put) {
  constexpr int kPoints = kPointsOf<kPairs>;
  alignas(64) Vector columns[kCount][kPoints];
#pragma GCC unroll 8
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

}  // namespace CONVOY_SIMD
}  // namespace convoy::kernels::simd
