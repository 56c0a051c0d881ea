#include "convoy/kernels/simd/pair_packing.h"

#include <algorithm>

#include "convoy/kernels/simd/cells.h"
#include "convoy/kernels/simd/square.h"

namespace convoy::kernels::simd {
inline namespace CONVOY_SIMD {
namespace {

constexpr int kPairs = kBlock / 2;
using Numbers = std::uint16_t __attribute__((vector_size(2 * kBlock * sizeof(BFloat16)), aligned(2), may_alias));

// A pair of numbers is moved as if it were a float.
void store_cells(BFloat16Pair* cells, const Vector (&square)[kBlock]) {
#pragma GCC unroll 16
  for (int i = 0; i < kBlock; ++i) store(reinterpret_cast<float*>(cells + i * kBlock), square[i]);
}

void turn(const BFloat16* matrix, std::int64_t step, int rows, std::int64_t blocks, BFloat16Pair* cells) {
  for (std::int64_t b = 0; b < blocks; b += 2, matrix += 2 * kBlock, cells += kBlock * kBlock) {
    Vector square[kBlock];
#pragma GCC unroll 16
    for (int i = 0; i < kBlock; ++i) {
      square[i] = i < rows ? load(reinterpret_cast<const float*>(matrix + i * step)) : Vector{};
    }
    transpose(square);
    store_cells(cells, square);
  }
}

Vector floats(Halves numbers) { return reinterpret_cast<Vector>(widened(numbers) << 16); }

template <int... kLane>
Numbers joined(Halves first, Halves second, std::integer_sequence<int, kLane...> /*lanes*/) {
  return __builtin_shufflevector(first, second, kLane...);
}
Numbers joined(Halves first, Halves second) {
  return joined(first, second, std::make_integer_sequence<int, 2 * kBlock>());
}

template <int... kLane>
Numbers paired(Halves first, Halves second, std::integer_sequence<int, kLane...> /*lanes*/) {
  return __builtin_shufflevector(first, second, (kLane / 2 + kLane % 2 * kBlock)...);
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

void interleave(const BFloat16* matrix, std::int64_t step, int rows, std::int64_t columns, BFloat16Pair* cells,
                std::int64_t distance) {
  alignas(64) static constexpr BFloat16 kZeros[kMostPairedColumns * kBlock]{};
  constexpr std::make_integer_sequence<int, 2 * kBlock> kLanes;
  for (int pair = 0; pair < kPairs; ++pair, cells += kBlock) {
    const BFloat16* const first = 2 * pair < rows ? matrix + 2 * pair * step : kZeros;
    const BFloat16* const second = 2 * pair + 1 < rows ? matrix + (2 * pair + 1) * step : kZeros;
    interleave_rows(first, second, columns, cells, distance, kLanes);
  }
}

// Two blocks of numbers as pairs.
Numbers paired(Halves first, Halves second) {
  return paired(first, second, std::make_integer_sequence<int, 2 * kBlock>());
}

void pair_pixels(const BFloat16* pixels, std::int64_t step, int first, int last, int pairs, BFloat16Pair* cells,
                 float* sums) {
  Vector total{};
  const auto pixel = [&](int i) {
    return i >= first && i < last ? *reinterpret_cast<const Halves*>(pixels + i * step) : Halves{};
  };
  for (int pair = 0; pair < pairs; ++pair, cells += kBlock) {
    const Halves a = pixel(2 * pair);
    const Halves b = pixel(2 * pair + 1);
    *reinterpret_cast<Numbers*>(cells) = paired(a, b);
    if (sums != nullptr) total += floats(a) + floats(b);
  }
  if (sums != nullptr) store(sums, load(sums) + total);
}

void turn_taps(const BFloat16* const groups[2], const std::int32_t* offsets, int taps, BFloat16Pair* cells) {
  Vector square[kBlock];
#pragma GCC unroll 16
  for (int i = 0; i < kBlock; ++i) {
    square[i] = i < taps ? reinterpret_cast<Vector>(joined(*reinterpret_cast<const Halves*>(groups[0] + offsets[i]),
                                                           *reinterpret_cast<const Halves*>(groups[1] + offsets[i])))
                         : Vector{};
  }
  transpose(square);
  store_cells(cells, square);
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

extern const PairPacking kPairPacking;
constinit const PairPacking kPairPacking{.turn = turn,
                                         .interleave = interleave,
                                         .pair_pixels = pair_pixels,
                                         .turn_taps = turn_taps,
                                         .finish = finish<BFloat16>,
                                         .finish_floats = finish<float>};

}  // namespace CONVOY_SIMD
}  // namespace convoy::kernels::simd
