// A square of weights, one block of channels by another, in registers.
#pragma once

#include <utility>

#include "convoy/kernels/simd/vector.h"

namespace convoy::kernels::simd {
inline namespace CONVOY_SIMD {

// Interleaves the first or the second halves of two registers, lane by lane.
template <int kHalf, int... kLane>
[[gnu::always_inline]] inline Vector interleave(Vector a, Vector b, std::integer_sequence<int, kLane...> /*lanes*/) {
  return __builtin_shufflevector(a, b, (kHalf * kBlock / 2 + kLane / 2 + kLane % 2 * kBlock)...);
}

// Transposes a square of kBlock x kBlock: interleaving rows that are half the square apart does that after log2(kBlock)
// rounds.
[[gnu::always_inline]] inline void transpose(Vector (&rows)[kBlock]) {
  constexpr std::make_integer_sequence<int, kBlock> kLanes;
  Vector next[kBlock];
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
}

// The same from memory to memory.
template <typename Element>
inline void transpose(const Element* from, float* to) {
  Vector rows[kBlock];
#pragma GCC unroll 16
  for (int i = 0; i < kBlock; ++i) rows[i] = load(from + i * kBlock);
  transpose(rows);
#pragma GCC unroll 16
  for (int i = 0; i < kBlock; ++i) store(to + i * kBlock, rows[i]);
}

}  // namespace CONVOY_SIMD
}  // namespace convoy::kernels::simd
