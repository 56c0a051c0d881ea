// Registers of cells (products.h), and how numbers are stored in cells. Like vector.h, for files that are compiled once
// for each instruction set. Pairs exist where that set has bf16 instructions.
#pragma once

#include <bit>
#include <cstdint>

#include "convoy/kernels/simd/products.h"
#include "convoy/kernels/simd/vector.h"

namespace convoy::kernels::simd {
inline namespace CONVOY_SIMD {

template <typename Cell>
struct CellTraits;
template <>
struct CellTraits<float> {
  using Register = Vector;
};
template <typename Cell>
using RegisterOf = typename CellTraits<Cell>::Register;

inline Vector plus_product(Vector sum, Vector a, Vector b) { return sum + a * b; }

// Stores a row of a block's numbers: those of a cell are neighbours.
inline void store_row(float* row, Vector v) { store(row, v); }

// Stores numbers as the first (part 0) or second (part 1) ones of the cells of a row. The first come first: they make
// the second ones zero.
template <int kPart>
inline void store_part(float* row, Vector v) {
  store(row, v);
}

#if defined(__AVX512BF16__)
using Cells = std::uint32_t __attribute__((vector_size(kBlock * sizeof(float)), aligned(4), may_alias));
struct PairVector {
  Bits bits;
};
template <>
struct CellTraits<BFloat16Pair> {
  using Register = PairVector;
};

inline PairVector load(const BFloat16Pair* p) { return {*reinterpret_cast<const Cells*>(p)}; }
inline PairVector all(BFloat16Pair pair) { return {std::bit_cast<std::uint32_t>(pair) | Bits{}}; }

inline Vector plus_product(Vector sum, PairVector a, PairVector b) {
  return reinterpret_cast<Vector>(_mm512_dpbf16_ps(reinterpret_cast<__m512>(sum), reinterpret_cast<__m512bh>(a.bits),
                                                   reinterpret_cast<__m512bh>(b.bits)));
}

inline void store_row(BFloat16Pair* row, Vector v) { store(reinterpret_cast<BFloat16*>(row), v); }

template <int kPart>
inline void store_part(BFloat16Pair* row, Vector v) {
  const auto halves = reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(reinterpret_cast<__m512>(v)));
  const Bits numbers = widened(reinterpret_cast<Halves>(halves));
  auto* const cells = reinterpret_cast<Cells*>(row);
  *cells = kPart == 0 ? numbers : *cells | numbers << 16;
}
#endif

}  // namespace CONVOY_SIMD
}  // namespace convoy::kernels::simd
