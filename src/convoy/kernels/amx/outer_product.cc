#include "convoy/kernels/amx/outer_product.h"

#include <algorithm>

#include "convoy/kernels/parallel.h"

namespace convoy::kernels {
namespace {

// How much of the second factor is used for all rows before the next part of it: it should stay in the second-level
// cache.
constexpr std::int64_t kPanelBytes = std::int64_t{1} << 20;

}  // namespace

std::size_t AmxOuterProduct::scratch_bytes() const {
  Scratch scratch;
  (void)lay_out(scratch);
  return scratch.bytes();
}

AmxOuterProduct::Parts AmxOuterProduct::lay_out(Scratch& scratch) const {
  const std::int64_t line_floats = steps() * simd::kTileFloats;
  Parts parts{};
  parts.first = scratch.take(row_tiles() * line_floats);
  parts.second = scratch.take(column_tiles() * line_floats);
  return parts;
}

// Even, as columns are taken two at a time.
std::int64_t AmxOuterProduct::panel_tiles() const {
  return std::max<std::int64_t>(2, kPanelBytes / line_bytes() / 2 * 2);
}

void AmxOuterProduct::run(const BFloat16* first, const BFloat16* second, float* result, float* scratchpad) const {
  Scratch scratch(scratchpad);
  const Parts parts = lay_out(scratch);
  auto* rows = reinterpret_cast<std::byte*>(parts.first);
  auto* columns = reinterpret_cast<std::byte*>(parts.second);
  parallel_for(row_tiles(), [&](std::int64_t i) { pack(first, rows_, i, true, rows + i * line_bytes()); });
  parallel_for(column_tiles(), [&](std::int64_t i) { pack(second, columns_, i, false, columns + i * line_bytes()); });
  const std::int64_t row_pairs = (row_tiles() + 1) / 2;
  const std::int64_t panels = (column_tiles() + panel_tiles() - 1) / panel_tiles();
  Claims claims(panels * row_pairs, threads_);
  parallel_for(threads_, [&](std::int64_t thread) {
    loops_->begin(simd::kTileDepth);
    claims.work(thread, [&](std::int64_t from, std::int64_t to) {
      for (std::int64_t i = from; i < to; ++i) {
        const std::int64_t row = i % row_pairs * 2;
        const std::int64_t panel = i / row_pairs * panel_tiles();
        for (std::int64_t c = panel; c < std::min(panel + panel_tiles(), column_tiles()); c += 2) {
          multiply(rows + row * line_bytes(), columns + c * line_bytes(), row, c, result);
        }
      }
    });
    loops_->end();
  });
}

void AmxOuterProduct::pack(const BFloat16* factor, std::int64_t width, std::int64_t tile, bool first,
                           std::byte* to) const {
  const std::int64_t column = tile * simd::kTileRows;
  for (std::int64_t sample = 0; sample < samples_; sample += simd::kTileDepth, to += simd::kTileBytes) {
    auto* packed = reinterpret_cast<BFloat16*>(to);
    loops_->pair_columns({.at = factor + sample * width + column,
                          .stride = width,
                          .rows = static_cast<int>(std::min(simd::kTileDepth, samples_ - sample)),
                          .columns = static_cast<int>(std::min<std::int64_t>(simd::kTileRows, width - column))},
                         packed, 0);
    if (first) loops_->transpose_pairs(packed, packed);
  }
}

bool AmxOuterProduct::is_inside(std::int64_t row_tile, std::int64_t column_tile) const {
  return (row_tile + 2) * simd::kTileRows <= rows_ && (column_tile + 2) * simd::kTileRows <= columns_;
}

// Computes two tiles of rows by two tiles of columns, or what there is of them.
void AmxOuterProduct::multiply(const std::byte* first, const std::byte* second, std::int64_t row_tile,
                               std::int64_t column_tile, float* result) const {
  constexpr std::int64_t kSide = simd::kTileRows;
  float* const at = result + row_tile * kSide * columns_ + column_tile * kSide;
  simd::TileCorrelation product{.gradients = first,
                                .gradient_channels = line_bytes(),
                                .gradient_strip = 0,
                                .sources = {second, second + line_bytes()},
                                .source_strip = 0,
                                .strips = 1,
                                .steps = static_cast<int>(steps()),
                                .channel_tiles = row_tile + 1 < row_tiles() ? 2 : 1,
                                .items = column_tile + 1 < column_tiles() ? 2 : 1,
                                .sums = {{at, at + kSide}, {at + kSide * columns_, at + kSide * columns_ + kSide}},
                                .sums_stride = columns_,
                                .accumulate = false};
  if (is_inside(row_tile, column_tile)) {
    // The processor does not foresee where the next rows of sums go.
    for (std::int64_t row = 0; row < 2 * kSide; ++row) {
      for (std::int64_t line = 2; line < 4; ++line) __builtin_prefetch(at + row * columns_ + line * kSide, 1);
    }
    loops_->correlate(product);
    return;
  }
  alignas(64) float sums[2][2][simd::kTileFloats];
  product.sums_stride = kSide;
  for (int r = 0; r < 2; ++r) {
    for (int c = 0; c < 2; ++c) product.sums[r][c] = sums[r][c];
  }
  loops_->correlate(product);
  for (int r = 0; r < product.channel_tiles; ++r) {
    for (int c = 0; c < product.items; ++c) {
      const std::int64_t row = (row_tile + r) * kSide;
      const std::int64_t column = (column_tile + c) * kSide;
      loops_->finish_rows({.sums = sums[r][c],
                           .rows = static_cast<int>(std::min(kSide, rows_ - row)),
                           .columns = static_cast<int>(std::min(kSide, columns_ - column)),
                           .bias = nullptr,
                           .activation = Activation::none,
                           .stride = columns_,
                           .floats = result + row * columns_ + column,
                           .halves = nullptr});
    }
  }
}

}  // namespace convoy::kernels
