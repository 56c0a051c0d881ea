#include "convoy/kernels/simd/paired_dense.h"

#include <algorithm>

#include "convoy/kernels/simd/cells.h"
#include "convoy/kernels/simd/square.h"

namespace convoy::kernels::simd {
inline namespace CONVOY_SIMD {
namespace {

constexpr int kPairs = kBlock / 2;
using Numbers = std::uint16_t __attribute__((vector_size(2 * kBlock * sizeof(BFloat16)), aligned(2), may_alias));

// A pair of numbers is moved as if it were a float.
void turn(const BFloat16* weights, std::int64_t step, int rows, std::int64_t blocks, BFloat16Pair* cells) {
  for (std::int64_t b = 0; b < blocks; b += 2, weights += 2 * kBlock, cells += kBlock * kBlock) {
    Vector square[kBlock];
#pragma GCC unroll 16
    for (int i = 0; i < kBlock; ++i) {
      square[i] = i < rows ? load(reinterpret_cast<const float*>(weights + i * step)) : Vector{};
    }
    transpose(square);
#pragma GCC unroll 16
    for (int i = 0; i < kBlock; ++i) store(reinterpret_cast<float*>(cells + i * kBlock), square[i]);
  }
}

Numbers load_numbers(const BFloat16* p) { return *reinterpret_cast<const Numbers*>(p); }

// Two columns of two rows at a time.
template <int... kLane>
void interleave_rows(const BFloat16* first, const BFloat16* second, std::int64_t columns, BFloat16Pair* cells,
                     std::int64_t distance, std::integer_sequence<int, kLane...> /*lanes*/) {
  constexpr int kSecond = 2 * kBlock;
  for (std::int64_t c = 0; c < columns; c += 2, first += 2 * kBlock, second += 2 * kBlock, cells += 2 * distance) {
    const Numbers a = load_numbers(first);
    const Numbers b = load_numbers(second);
    *reinterpret_cast<Numbers*>(cells) = __builtin_shufflevector(a, b, (kLane / 2 + kLane % 2 * kSecond)...);
    *reinterpret_cast<Numbers*>(cells + distance) =
        __builtin_shufflevector(a, b, (kBlock + kLane / 2 + kLane % 2 * kSecond)...);
  }
}

void interleave(const BFloat16* weights, std::int64_t step, int rows, std::int64_t columns, BFloat16Pair* cells,
                std::int64_t distance) {
  alignas(64) static constexpr BFloat16 kZeros[kMostPairedColumns * kBlock]{};
  constexpr std::make_integer_sequence<int, 2 * kBlock> kLanes;
  for (int pair = 0; pair < kPairs; ++pair, cells += kBlock) {
    const BFloat16* const first = 2 * pair < rows ? weights + 2 * pair * step : kZeros;
    const BFloat16* const second = 2 * pair + 1 < rows ? weights + (2 * pair + 1) * step : kZeros;
    interleave_rows(first, second, columns, cells, distance, kLanes);
  }
}

template <typename Result>
void finish(const float* sums, std::int64_t rows, int lanes, const float* bias, Activation activation, Result* result,
            std::int64_t step) {
  float shift[kBlock]{};
  if (bias != nullptr) std::copy_n(bias, lanes, shift);
  for_activation(activation, [&]<Activation kActivation>() {
    for (std::int64_t r = 0; r < rows; ++r, sums += kBlock, result += step) {
      const Vector value = activated<kActivation>(load(sums) + load(shift));
      if (lanes == kBlock) {
        store(result, value);
      } else {
        Result all_lanes[kBlock];
        store(all_lanes, value);
        std::copy_n(all_lanes, lanes, result);
      }
    }
  });
}

}  // namespace

extern const PairedDenseLoops kPairedDense;
constinit const PairedDenseLoops kPairedDense{
    .turn = turn, .interleave = interleave, .finish = finish<BFloat16>, .finish_floats = finish<float>};

}  // namespace CONVOY_SIMD
}  // namespace convoy::kernels::simd
