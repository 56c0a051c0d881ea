#include "convoy/kernels/simd/amx.h"

#include <immintrin.h>

#include <algorithm>

#include "convoy/kernels/simd/vector.h"

// The compiler's own functions for matrix registers do not tell it that they read memory, so it may drop writes that
// they need; these functions tell it.
namespace convoy::kernels::simd {
inline namespace CONVOY_SIMD {
namespace {

struct alignas(64) TileConfiguration {
  std::uint8_t palette = 1;
  std::uint8_t start_row = 0;
  std::uint8_t reserved[14] = {};
  std::uint16_t row_bytes[16] = {};
  std::uint8_t rows[16] = {};
};
static_assert(sizeof(TileConfiguration) == 64);

// Registers 0 to 3 are sums, 4 and 5 first factors, 6 and 7 second factors.
void begin(int depth) {
  TileConfiguration configuration;
  for (int tile = 0; tile < 8; ++tile) {
    const bool first_factor = tile == 4 || tile == 5;
    const bool second_factor = tile >= 6;
    configuration.row_bytes[tile] = static_cast<std::uint16_t>(first_factor ? depth * 2 : 64);
    configuration.rows[tile] = static_cast<std::uint8_t>(second_factor ? depth / 2 : kTileRows);
  }
  asm volatile("ldtilecfg %0" ::"m"(configuration) : "memory");
}

void end() { asm volatile("tilerelease" ::: "memory"); }

template <int kTile>
[[gnu::always_inline]] inline void load_tile(const void* at, std::int64_t row_bytes) {
  asm volatile("tileloadd (%0,%1,1), %%tmm%c2" ::"r"(at), "r"(row_bytes), "i"(kTile) : "memory");
}
template <int kTile>
[[gnu::always_inline]] inline void store_tile(void* at, std::int64_t row_bytes = 64) {
  asm volatile("tilestored %%tmm%c2, (%0,%1,1)" ::"r"(at), "r"(row_bytes), "i"(kTile) : "memory");
}
template <int kTile>
[[gnu::always_inline]] inline void clear_tile() {
  asm volatile("tilezero %%tmm%c0" ::"i"(kTile));
}
template <int kSum, int kFirst, int kSecond>
[[gnu::always_inline]] inline void add_product() {
  asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(kSum), "i"(kFirst), "i"(kSecond));
}

template <int kRowTiles, int kColumnTiles>
[[gnu::always_inline]] inline void clear_sums() {
  clear_tile<0>();
  if constexpr (kColumnTiles == 2) clear_tile<1>();
  if constexpr (kRowTiles == 2) clear_tile<2>();
  if constexpr (kRowTiles == 2 && kColumnTiles == 2) clear_tile<3>();
}

// All loads come first, and a factor that was loaded late is used late: products then wait less for loads, above all
// while another program uses the same core.
template <int kRowTiles, int kColumnTiles>
[[gnu::always_inline]] inline void add_products(const std::byte* first0, const std::byte* first1,
                                                std::int64_t first_row_bytes, const std::byte* second0,
                                                const std::byte* second1) {
  load_tile<4>(first0, first_row_bytes);
  if constexpr (kRowTiles == 2) load_tile<5>(first1, first_row_bytes);
  load_tile<6>(second0, 64);
  if constexpr (kColumnTiles == 2) load_tile<7>(second1, 64);
  add_product<0, 4, 6>();
  if constexpr (kRowTiles == 2) add_product<2, 5, 6>();
  if constexpr (kColumnTiles == 2) add_product<1, 4, 7>();
  if constexpr (kRowTiles == 2 && kColumnTiles == 2) add_product<3, 5, 7>();
}

template <int kDepth, int kRowTiles, int kColumnTiles>
void multiply_tiles(const TileProduct& p) {
  constexpr std::int64_t kRowBytes = kDepth * 2;
  constexpr std::int64_t kWeightBytes = kDepth / 2 * kPairBytes;
  clear_sums<kRowTiles, kColumnTiles>();
  const std::byte* weights = p.weights;
  for (int plane = 0; plane < p.planes; ++plane) {
    const std::byte* rows = p.rows + plane * p.plane_bytes;
    for (int tap = 0; tap < p.taps; ++tap) {
      const std::byte* first = rows + p.shifts[tap];
      add_products<kRowTiles, kColumnTiles>(first, first + kTileRows * kRowBytes, kRowBytes, weights,
                                            weights + p.column_bytes);
      weights += kWeightBytes;
    }
  }
  store_tile<0>(p.sums);
  if constexpr (kColumnTiles == 2) store_tile<1>(p.sums + kTileFloats);
  if constexpr (kRowTiles == 2) store_tile<2>(p.sums + 2 * kTileFloats);
  if constexpr (kRowTiles == 2 && kColumnTiles == 2) store_tile<3>(p.sums + 3 * kTileFloats);
}

template <int kDepth>
void multiply_depth(const TileProduct& p) {
  if (p.row_tiles == 2) {
    p.column_tiles == 2 ? multiply_tiles<kDepth, 2, 2>(p) : multiply_tiles<kDepth, 2, 1>(p);
  } else {
    p.column_tiles == 2 ? multiply_tiles<kDepth, 1, 2>(p) : multiply_tiles<kDepth, 1, 1>(p);
  }
}

void multiply(const TileProduct& p) { p.depth == 32 ? multiply_depth<32>(p) : multiply_depth<16>(p); }

template <int kChannelTiles, int kItems>
void correlate_tiles(const TileCorrelation& c) {
  const std::int64_t row_bytes = c.sums_stride * std::int64_t{sizeof(float)};
  clear_sums<kChannelTiles, kItems>();
  if (c.accumulate) {
    load_tile<0>(c.sums[0][0], row_bytes);
    if constexpr (kItems == 2) load_tile<1>(c.sums[0][1], row_bytes);
    if constexpr (kChannelTiles == 2) load_tile<2>(c.sums[1][0], row_bytes);
    if constexpr (kChannelTiles == 2 && kItems == 2) load_tile<3>(c.sums[1][1], row_bytes);
  }
  for (int strip = 0; strip < c.strips; ++strip) {
    const std::byte* gradients = c.gradients + strip * c.gradient_strip;
    const std::byte* source0 = c.sources[0] + strip * c.source_strip;
    const std::byte* source1 = kItems == 2 ? c.sources[1] + strip * c.source_strip : nullptr;
    for (std::int64_t at = 0; at < std::int64_t{c.steps} * kTileBytes; at += kTileBytes) {
      add_products<kChannelTiles, kItems>(gradients + at, gradients + c.gradient_channels + at, 64, source0 + at,
                                          source1 + at);
    }
  }
  store_tile<0>(c.sums[0][0], row_bytes);
  if constexpr (kItems == 2) store_tile<1>(c.sums[0][1], row_bytes);
  if constexpr (kChannelTiles == 2) store_tile<2>(c.sums[1][0], row_bytes);
  if constexpr (kChannelTiles == 2 && kItems == 2) store_tile<3>(c.sums[1][1], row_bytes);
}

void correlate(const TileCorrelation& c) {
  if (c.channel_tiles == 2) {
    c.items == 2 ? correlate_tiles<2, 2>(c) : correlate_tiles<2, 1>(c);
  } else {
    c.items == 2 ? correlate_tiles<1, 2>(c) : correlate_tiles<1, 1>(c);
  }
}

__m256i load_half(const BFloat16* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }
__m512i load_whole(const void* p) { return _mm512_loadu_si512(p); }

void gather16(const BFloat16* block, std::int64_t stride, std::int64_t count, BFloat16* rows) {
  for (std::int64_t i = 0; i < count; ++i) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(rows + i * 16), load_half(block + i * stride));
  }
}

void gather32(const BFloat16* first, const BFloat16* second, std::int64_t stride, std::int64_t count, BFloat16* rows) {
  for (std::int64_t i = 0; i < count; ++i) {
    const __m256i upper = second == nullptr ? _mm256_setzero_si256() : load_half(second + i * stride);
    const __m512i row = _mm512_inserti64x4(_mm512_castsi256_si512(load_half(first + i * stride)), upper, 1);
    _mm512_storeu_si512(rows + i * 32, row);
  }
}

void gather_places16(const BFloat16* block, const std::int32_t* places, BFloat16* rows) {
  for (int i = 0; i < 2 * kTileRows; ++i) {
    const __m256i row = places[i] < 0 ? _mm256_setzero_si256() : load_half(block + places[i]);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(rows + i * 16), row);
  }
}

void gather_places32(const BFloat16* first, const BFloat16* second, const std::int32_t* places, BFloat16* rows) {
  for (int i = 0; i < kTileRows; ++i) {
    __m512i row = _mm512_setzero_si512();
    if (places[i] >= 0) {
      row = _mm512_zextsi256_si512(load_half(first + places[i]));
      if (second != nullptr) row = _mm512_inserti64x4(row, load_half(second + places[i]), 1);
    }
    _mm512_storeu_si512(rows + i * 32, row);
  }
}

// Interleaves the numbers of two rows of 16 that are next to each other.
__m512i paired(__m512i two_rows) {
  alignas(64) static constexpr std::uint16_t kTurns[32] = {0,  16, 1,  17, 2,  18, 3,  19, 4,  20, 5,
                                                           21, 6,  22, 7,  23, 8,  24, 9,  25, 10, 26,
                                                           11, 27, 12, 28, 13, 29, 14, 30, 15, 31};
  return _mm512_permutexvar_epi16(_mm512_load_si512(kTurns), two_rows);
}

void pair_rows(const BFloat16* rows, std::int64_t pairs, BFloat16* to) {
  for (std::int64_t i = 0; i < pairs; ++i) _mm512_storeu_si512(to + i * 32, paired(load_whole(rows + i * 32)));
}

void pair_weights(const BFloat16* block, BFloat16* pairs) { pair_rows(block, kTileRows / 2, pairs); }

// Neighbours in a row of weights already form a pair, so pairs are transposed as a whole.
void pair_weights_transposed(const BFloat16* block, BFloat16* pairs) {
  const __m512i rows = _mm512_mullo_epi32(_mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
                                          _mm512_set1_epi32(kTileRows / 2));
  const auto* words = reinterpret_cast<const int*>(block);
  for (int pair = 0; pair < kTileRows / 2; ++pair) {
    _mm512_storeu_si512(pairs + pair * 32, _mm512_i32gather_epi32(rows, words + pair, sizeof(int)));
  }
}

// Transposes a square of 16 x 16 words of 32 bits: interleaving rows that are half the square apart does that after
// four rounds.
[[gnu::always_inline]] inline void transpose_words(__m512i (&rows)[16]) {
  const __m512i lower = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
  const __m512i upper = _mm512_set_epi32(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8);
  __m512i next[16];
#pragma GCC unroll 4
  for (int times = 0; times < 4; ++times) {
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) {
      next[2 * i] = _mm512_permutex2var_epi32(rows[i], lower, rows[i + 8]);
      next[2 * i + 1] = _mm512_permutex2var_epi32(rows[i], upper, rows[i + 8]);
    }
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) rows[i] = next[i];
  }
}

void transpose_pairs(const BFloat16* pairs, BFloat16* to) {
  __m512i rows[16];
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) rows[i] = load_whole(pairs + i * 32);
  transpose_words(rows);
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) _mm512_storeu_si512(to + i * 32, rows[i]);
}

// The pairs of a row of weights are words; both blocks' words of a row become a column.
void turn_weights(const BFloat16* first, const BFloat16* second, BFloat16* pairs) {
  __m512i rows[16];
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) rows[i] = _mm512_zextsi256_si512(load_half(first + i * 16));
  if (second != nullptr) {
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) rows[i] = _mm512_inserti64x4(rows[i], load_half(second + i * 16), 1);
  }
  transpose_words(rows);
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) _mm512_storeu_si512(pairs + i * 32, rows[i]);
}

// Masks for the first `count` of 16 or 32.
__mmask16 first16(int count) { return static_cast<__mmask16>((1U << count) - 1); }
__mmask32 first32(int count) { return static_cast<__mmask32>((std::uint64_t{1} << count) - 1); }

void copy_rows(const MatrixPart& part, BFloat16* tile) {
  const __mmask32 inside = first32(part.columns);
  for (int i = 0; i < kTileRows; ++i) {
    const __mmask32 mask = i < part.rows ? inside : 0;
    _mm512_storeu_si512(tile + i * 32, _mm512_maskz_loadu_epi16(mask, part.at + i * part.stride));
  }
}

void ask_for(const BFloat16* at) { _mm_prefetch(reinterpret_cast<const char*>(at), _MM_HINT_T1); }

// All columns of two rows come before the next rows: these may be so far apart that they use the same few places of the
// first-level cache, and that the processor does not foresee them, so that rows are asked for some time before.
void pair_columns(const MatrixPart& part, BFloat16* tiles, std::int64_t distance) {
  constexpr std::int64_t kAhead = 16;  // rows
  for (int i = 0; i < kTileRows; ++i) {
    const BFloat16* even = part.at + 2 * i * part.stride;
    const BFloat16* odd = even + part.stride;
    BFloat16* to = tiles + i * 32;
    for (int column = 0; column < part.columns; column += kTileRows, to += distance) {
      const __mmask16 inside = first16(std::min(kTileRows, part.columns - column));
      if (column % (2 * kTileRows) == 0) {
        ask_for(even + column + kAhead * part.stride);
        ask_for(odd + column + kAhead * part.stride);
      }
      const __m256i upper = _mm256_maskz_loadu_epi16(2 * i < part.rows ? inside : 0, even + column);
      const __m256i lower = _mm256_maskz_loadu_epi16(2 * i + 1 < part.rows ? inside : 0, odd + column);
      _mm512_storeu_si512(to, paired(_mm512_inserti64x4(_mm512_castsi256_si512(upper), lower, 1)));
    }
  }
}

void finish_rows(const TileRows& r) {
  const __mmask16 inside = first16(r.columns);
  const __m512 shift = r.bias == nullptr ? _mm512_setzero_ps() : _mm512_maskz_loadu_ps(inside, r.bias);
  for_activation(r.activation, [&]<Activation kActivation>() {
    for (int i = 0; i < r.rows; ++i) {
      const auto sum = reinterpret_cast<Vector>(_mm512_add_ps(_mm512_loadu_ps(r.sums + i * kTileRows), shift));
      const auto value = reinterpret_cast<__m512>(activated<kActivation>(sum));
      if (r.floats != nullptr) {
        _mm512_mask_storeu_ps(r.floats + i * r.stride, inside, value);
      } else {
        _mm256_mask_storeu_epi16(r.halves + i * r.stride, inside, reinterpret_cast<__m256i>(_mm512_cvtneps_pbh(value)));
      }
    }
  });
}

void sum_transposed(const float* tiles, std::int64_t stride, int count, float* to) {
  __m512i rows[16];
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) {
    __m512 sum = _mm512_loadu_ps(tiles + i * 16);
    for (int k = 1; k < count; ++k) sum = _mm512_add_ps(sum, _mm512_loadu_ps(tiles + k * stride + i * 16));
    rows[i] = _mm512_castps_si512(sum);
  }
  transpose_words(rows);
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) _mm512_storeu_si512(to + i * 16, rows[i]);
}

void add_rows(const BFloat16* rows, std::int64_t count, float* sums) {
  Vector sum = load(sums);
  for (std::int64_t i = 0; i < count; ++i) sum += load(rows + i * 16);
  store(sums, sum);
}

void finish(const TileResult& r) {
  const Vector shift = r.bias == nullptr ? Vector{} : load(r.bias);
  for_activation(r.activation, [&]<Activation kActivation>() {
    for (int i = 0; i < r.pixels; ++i) {
      if (r.places[i] < 0) continue;
      store(r.plane + r.places[i], activated<kActivation>(load(r.sums + i * kTileRows) + shift));
    }
  });
}

}  // namespace

extern const AmxLoops kAmxLoops;
constinit const AmxLoops kAmxLoops = {.begin = begin,
                                      .end = end,
                                      .gather16 = gather16,
                                      .gather32 = gather32,
                                      .gather_places16 = gather_places16,
                                      .gather_places32 = gather_places32,
                                      .pair_weights = pair_weights,
                                      .pair_weights_transposed = pair_weights_transposed,
                                      .turn_weights = turn_weights,
                                      .pair_rows = pair_rows,
                                      .transpose_pairs = transpose_pairs,
                                      .copy_rows = copy_rows,
                                      .pair_columns = pair_columns,
                                      .finish_rows = finish_rows,
                                      .multiply = multiply,
                                      .finish = finish,
                                      .correlate = correlate,
                                      .sum_transposed = sum_transposed,
                                      .add_rows = add_rows};

}  // namespace CONVOY_SIMD
}  // namespace convoy::kernels::simd
