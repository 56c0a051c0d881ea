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

// Stores numbers for each cell of a row, one register for each of a cell's numbers.
inline void store_cells(float* row, const Vector (&v)[1]) { store(row, v[0]); }

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

inline void store_cells(BFloat16Pair* row, const Vector (&v)[2]) {
  using Numbers = std::uint16_t __attribute__((vector_size(kBlock * sizeof(BFloat16Pair)), aligned(4), may_alias));
  const auto both =
      reinterpret_cast<Numbers>(_mm512_cvtne2ps_pbh(reinterpret_cast<__m512>(v[1]), reinterpret_cast<__m512>(v[0])));
  *reinterpret_cast<Numbers*>(row) =
      __builtin_shufflevector(both, both, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23, 8, 24, 9, 25, 10, 26,
                              11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}
#endif

}  // namespace CONVOY_SIMD
}  // namespace convoy::kernels::simd
