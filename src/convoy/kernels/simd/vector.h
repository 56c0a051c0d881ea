// One register of floats, for the files that are compiled once for each instruction set. Everything here is in a
// namespace named after that instruction set, so that no function compiled for one is linked in place of another's.
#pragma once

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include <cstdint>

#include "convoy/kernels/activation.h"
#include "convoy/tensor/data_type.h"

namespace convoy::kernels::simd {
inline namespace CONVOY_SIMD {

#if defined(__AVX512F__)
constexpr int kBlock = 16;
#else
constexpr int kBlock = 8;
#endif

using Vector = float __attribute__((vector_size(kBlock * sizeof(float)), aligned(4), may_alias));
using Mask = std::int32_t __attribute__((vector_size(kBlock * sizeof(float))));

inline Vector load(const float* p) { return *reinterpret_cast<const Vector*>(p); }
inline void store(float* p, Vector v) { *reinterpret_cast<Vector*>(p) = v; }

// bf16 in memory, floats in registers. The upper half of a float is its bf16; storing rounds to nearest, ties to even,
// as to_bfloat16() does.
using Bits = std::uint32_t __attribute__((vector_size(kBlock * sizeof(float))));
using Halves = std::uint16_t __attribute__((vector_size(kBlock * sizeof(BFloat16)), aligned(2), may_alias));

// Each half in the lower half of a lane.
inline Bits widened(Halves halves) {
#if defined(__AVX512F__)
  // GCC 12 makes five instructions of the conversion below, where one does it.
  return reinterpret_cast<Bits>(_mm512_maskz_cvtepu16_epi32(0xffff, reinterpret_cast<__m256i>(halves)));
#else
  return __builtin_convertvector(halves, Bits);
#endif
}

inline Vector load(const BFloat16* p) {
  return reinterpret_cast<Vector>(widened(*reinterpret_cast<const Halves*>(p)) << 16);
}
inline void store(BFloat16* p, Vector v) {
#if defined(__AVX512BF16__)
  // The same, except that numbers too small to matter (denormal ones) become 0.
  const auto halves = reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(reinterpret_cast<__m512>(v)));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), halves);
#else
  const Bits bits = reinterpret_cast<Bits>(v);
  const Bits nearest = bits + 0x7fff + ((bits >> 16) & 1);
  const Bits rounded = v != v ? bits | 0x400000 : nearest;
  *reinterpret_cast<Halves*>(p) = __builtin_convertvector(rounded >> 16, Halves);
#endif
}

// x - 0 is x for every x and compiles to a broadcast; x + 0 would change -0 and compiles to an addition.
inline Vector all(float value) { return value - Vector{}; }
inline Vector where(Mask mask, Vector a, Vector b) { return mask ? a : b; }

// NaN is passed through, so that a diverged run is noticed.
template <Activation kActivation>
Vector activated(Vector v) {
  if constexpr (kActivation == Activation::none) return v;
  Vector low = where(v < Vector{}, Vector{}, v);
  if constexpr (kActivation == Activation::relu6) low = where(low > all(6.0F), all(6.0F), low);
  return low;
}

// Calls body with the activation as a compile-time value.
template <typename Body>
void for_activation(Activation activation, Body body) {
  switch (activation) {
    case Activation::none:
      body.template operator()<Activation::none>();
      break;
    case Activation::relu:
      body.template operator()<Activation::relu>();
      break;
    case Activation::relu6:
      body.template operator()<Activation::relu6>();
      break;
  }
}

}  // namespace CONVOY_SIMD
}  // namespace convoy::kernels::simd
