#include "convoy/kernels/amx/product.h"

#include <algorithm>

#include "convoy/kernels/parallel.h"

namespace convoy::kernels {
namespace {

constexpr std::int64_t kPanelTiles = 4;
constexpr std::int64_t kPanelColumns = kPanelTiles * simd::kTileRows;
constexpr std::int64_t kStepDepth = 32;

}  // namespace

AmxProduct::AmxProduct(const simd::AmxLoops& loops, const Shape& shape, int threads)
    : loops_(&loops), shape_(shape), threads_(threads) {}

std::size_t AmxProduct::scratch_bytes() const {
  Scratch scratch;
  (void)lay_out(scratch);
  return scratch.bytes();
}

AmxProduct::Parts AmxProduct::lay_out(Scratch& scratch) const {
  const std::int64_t line_floats = steps() * simd::kTileFloats;
  Parts parts{};
  parts.first = scratch.take(row_tiles() * line_floats);
  parts.panels = scratch.take(kPanelTiles * line_floats * threads_);
  return parts;
}

void AmxProduct::run(const BFloat16* first, const BFloat16* second, const Result& result, float* scratchpad) const {
  Scratch scratch(scratchpad);
  const Parts parts = lay_out(scratch);
  auto* rows = reinterpret_cast<std::byte*>(parts.first);
  parallel_for(row_tiles(), [&](std::int64_t tile) { pack_first(first, tile, rows + tile * line_bytes()); });
  const std::int64_t panels = (shape_.columns + kPanelColumns - 1) / kPanelColumns;
  Claims claims(panels, threads_);
  parallel_for(threads_, [&](std::int64_t thread) {
    auto* panel = reinterpret_cast<std::byte*>(parts.panels) + thread * kPanelTiles * line_bytes();
    loops_->begin(kStepDepth);
    claims.work(thread, [&](std::int64_t first_panel, std::int64_t last_panel) {
      for (std::int64_t i = first_panel; i < last_panel; ++i) {
        pack_second(second, i * kPanelColumns, panel);
        multiply_panel(rows, panel, i * kPanelColumns, result);
      }
    });
    loops_->end();
  });
}

void AmxProduct::pack_first(const BFloat16* first, std::int64_t tile, std::byte* to) const {
  const std::int64_t row = tile * simd::kTileRows;
  const auto rows = static_cast<int>(std::min<std::int64_t>(simd::kTileRows, shape_.rows - row));
  for (std::int64_t at = 0; at < shape_.depth; at += kStepDepth, to += simd::kTileBytes) {
    const auto depth = static_cast<int>(std::min(kStepDepth, shape_.depth - at));
    auto* packed = reinterpret_cast<BFloat16*>(to);
    if (shape_.first.depth_contiguous) {
      loops_->copy_rows({first + row * shape_.first.stride + at, shape_.first.stride, rows, depth}, packed);
    } else {
      loops_->pair_columns({first + at * shape_.first.stride + row, shape_.first.stride, depth, rows}, packed);
      loops_->transpose_pairs(packed, packed);
    }
  }
}

// Packs the panel that begins at `column`, all of its tiles at once, so that neighbours in memory are read together.
void AmxProduct::pack_second(const BFloat16* second, std::int64_t column, std::byte* to) const {
  const std::int64_t end = std::min(column + kPanelColumns, shape_.columns);
  for (std::int64_t at = 0; at < shape_.depth; at += kStepDepth, to += simd::kTileBytes) {
    const auto depth = static_cast<int>(std::min(kStepDepth, shape_.depth - at));
    for (std::int64_t c = column; c < end; c += simd::kTileRows) {
      const auto columns = static_cast<int>(std::min<std::int64_t>(simd::kTileRows, end - c));
      auto* packed = reinterpret_cast<BFloat16*>(to + (c - column) / simd::kTileRows * line_bytes());
      if (shape_.second.depth_contiguous) {
        loops_->copy_rows({second + c * shape_.second.stride + at, shape_.second.stride, columns, depth}, packed);
        loops_->transpose_pairs(packed, packed);
      } else {
        loops_->pair_columns({second + at * shape_.second.stride + c, shape_.second.stride, depth, columns}, packed);
      }
    }
  }
}

void AmxProduct::multiply_panel(const std::byte* first, const std::byte* panel, std::int64_t column,
                                const Result& result) const {
  alignas(64) float sums[4][simd::kTileFloats];
  const std::int64_t end = std::min(column + kPanelColumns, shape_.columns);
  for (std::int64_t tile = 0; tile < row_tiles(); tile += 2) {
    for (std::int64_t c = column; c < end; c += 2 * simd::kTileRows) {
      const std::byte* columns = panel + (c - column) / simd::kTileRows * line_bytes();
      const int row_count = tile + 1 < row_tiles() ? 2 : 1;
      const int column_count = c + simd::kTileRows < end ? 2 : 1;
      loops_->correlate({.gradients = first + tile * line_bytes(),
                         .gradient_channels = line_bytes(),
                         .gradient_strip = 0,
                         .sources = {columns, columns + line_bytes()},
                         .source_strip = 0,
                         .strips = 1,
                         .steps = static_cast<int>(steps()),
                         .channel_tiles = row_count,
                         .items = column_count,
                         .sums = {{sums[0], sums[1]}, {sums[2], sums[3]}},
                         .accumulate = false});
      for (int r = 0; r < row_count; ++r) {
        for (int k = 0; k < column_count; ++k) {
          write(sums[2 * r + k], (tile + r) * simd::kTileRows, c + k * simd::kTileRows, result);
        }
      }
    }
  }
}

void AmxProduct::write(const float* sums, std::int64_t row, std::int64_t column, const Result& result) const {
  const std::int64_t at = row * shape_.columns + column;
  loops_->finish_rows({.sums = sums,
                       .rows = static_cast<int>(std::min<std::int64_t>(simd::kTileRows, shape_.rows - row)),
                       .columns = static_cast<int>(std::min<std::int64_t>(simd::kTileRows, shape_.columns - column)),
                       .bias = result.bias == nullptr ? nullptr : result.bias + column,
                       .activation = result.activation,
                       .stride = shape_.columns,
                       .floats = result.floats == nullptr ? nullptr : result.floats + at,
                       .halves = result.halves == nullptr ? nullptr : result.halves + at});
}

}  // namespace convoy::kernels
