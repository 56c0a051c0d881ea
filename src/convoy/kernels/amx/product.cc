#include "convoy/kernels/amx/product.h"

#include <algorithm>

namespace convoy::kernels {
namespace {

using simd::kTileDepth;
using simd::kTileRows;

// Where the depth is contiguous, blocks have more of it, where columns are, more of these, so that what lies together
// in memory is read together.
constexpr std::int64_t kPanelTilesByDepth = 4;
constexpr std::int64_t kPanelTilesByColumns = 16;

// All rows are kept together, because weights are read from memory.
StreamedProduct::Shape in_tiles(const AmxProduct::Shape& shape) {
  const std::int64_t row_tiles = (shape.rows + kTileRows - 1) / kTileRows;
  return {.row_tiles = row_tiles,
          .column_tiles = (shape.columns + kTileRows - 1) / kTileRows,
          .steps = (shape.depth + kTileDepth - 1) / kTileDepth,
          .group_tiles = row_tiles,
          .panel_tiles = shape.depth_contiguous ? kPanelTilesByDepth : kPanelTilesByColumns,
          .streamed_first = shape.depth_contiguous};
}

}  // namespace

AmxProduct::AmxProduct(const simd::AmxLoops& loops, const Shape& shape, int threads)
    : loops_(&loops), shape_(shape), threads_(threads), streamed_(loops, in_tiles(shape), threads) {}

std::size_t AmxProduct::scratch_bytes() const {
  Scratch scratch(nullptr, threads_);
  (void)lay_out(scratch);
  return scratch.bytes();
}

AmxProduct::Parts AmxProduct::lay_out(Scratch& scratch) const {
  Parts parts{.streamed = streamed_.lay_out(scratch), .kept = nullptr};
  parts.kept = scratch.take(row_tiles() * streamed_.line_bytes() / static_cast<std::int64_t>(sizeof(float)));
  return parts;
}

void AmxProduct::run(const BFloat16* kept, const BFloat16* weights, const Result& result, float* scratchpad) const {
  Scratch scratch(scratchpad, threads_);
  const Parts parts = lay_out(scratch);
  auto* const packed = reinterpret_cast<std::byte*>(parts.kept);
  parallel_for(row_tiles(), [&](std::int64_t tile) { pack_kept(kept, tile, packed + tile * streamed_.line_bytes()); });
  streamed_.run(
      parts.streamed,
      [&](std::int64_t /*thread*/, std::int64_t first_row, std::int64_t /*rows*/) {
        return packed + first_row * streamed_.line_bytes();
      },
      [&](const StreamedProduct::Block& block) { pack_block(weights, block); },
      [&](std::int64_t row, std::int64_t column, const float* sums) { write(row, column, sums, result); });
}

void AmxProduct::pack_kept(const BFloat16* kept, std::int64_t tile, std::byte* to) const {
  const std::int64_t row = tile * kTileRows;
  const auto rows = static_cast<int>(std::min<std::int64_t>(kTileRows, shape_.rows - row));
  for (std::int64_t at = 0; at < shape_.depth; at += kTileDepth, to += simd::kTileBytes) {
    const auto depth = static_cast<int>(std::min(kTileDepth, shape_.depth - at));
    auto* packed = reinterpret_cast<BFloat16*>(to);
    loops_->copy_rows({.at = kept + row * shape_.depth + at, .stride = shape_.depth, .rows = rows, .columns = depth},
                      packed);
    if (shape_.depth_contiguous) loops_->transpose_pairs(packed, packed);
  }
}

void AmxProduct::pack_block(const BFloat16* weights, const StreamedProduct::Block& block) const {
  const std::int64_t first = block.first_tile * kTileRows;
  const std::int64_t columns = std::min<std::int64_t>(block.tiles * kTileRows, shape_.columns - first);
  // As far as a row is contiguous it is read without a pause, which is what the processor foresees.
  const std::int64_t tiles = shape_.depth_contiguous ? block.tiles : 1;
  for (std::int64_t tile = 0; tile < tiles; ++tile) {
    for (std::int64_t step = 0; step < block.steps; ++step) {
      const std::int64_t at = (block.first_step + step) * kTileDepth;
      const auto depth = static_cast<int>(std::min(kTileDepth, shape_.depth - at));
      auto* const to = reinterpret_cast<BFloat16*>(block.to + tile * block.tile_bytes + step * simd::kTileBytes);
      if (shape_.depth_contiguous) {
        const std::int64_t column = tile * kTileRows;
        loops_->copy_rows({.at = weights + (first + column) * shape_.depth + at,
                           .stride = shape_.depth,
                           .rows = static_cast<int>(std::min<std::int64_t>(kTileRows, columns - column)),
                           .columns = depth},
                          to);
      } else {
        loops_->pair_columns({.at = weights + at * shape_.columns + first,
                              .stride = shape_.columns,
                              .rows = depth,
                              .columns = static_cast<int>(columns)},
                             to, block.tile_bytes / static_cast<std::int64_t>(sizeof(BFloat16)));
      }
    }
  }
}

void AmxProduct::write(std::int64_t row_tile, std::int64_t column_tile, const float* sums, const Result& result) const {
  const std::int64_t row = row_tile * kTileRows;
  const std::int64_t column = column_tile * kTileRows;
  const std::int64_t at = row * shape_.columns + column;
  loops_->finish_rows({.sums = sums,
                       .rows = static_cast<int>(std::min<std::int64_t>(kTileRows, shape_.rows - row)),
                       .columns = static_cast<int>(std::min<std::int64_t>(kTileRows, shape_.columns - column)),
                       .bias = result.bias == nullptr ? nullptr : result.bias + column,
                       .activation = result.activation,
                       .stride = shape_.columns,
                       .floats = result.floats == nullptr ? nullptr : result.floats + at,
                       .halves = result.halves == nullptr ? nullptr : result.halves + at});
}

}  // namespace convoy::kernels
