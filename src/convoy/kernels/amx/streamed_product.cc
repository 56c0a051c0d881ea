#include "convoy/kernels/amx/streamed_product.h"

#include <utility>

namespace convoy::kernels {
namespace {

constexpr std::int64_t kBlockTiles = 128;

}  // namespace

StreamedProduct::StreamedProduct(const simd::AmxLoops& loops, const Shape& shape, int threads)
    : loops_(&loops), shape_(shape), threads_(threads) {
  while (shape_.panel_tiles > 2 && groups() * panels() < 2 * threads) shape_.panel_tiles /= 2;
}

std::int64_t StreamedProduct::block_steps() const { return kBlockTiles / shape_.panel_tiles; }

StreamedProduct::Parts StreamedProduct::lay_out(Scratch& scratch) const {
  Parts parts{};
  parts.block = scratch.take_own(kBlockTiles * simd::kTileFloats);
  parts.sums = scratch.take_own(shape_.group_tiles * shape_.panel_tiles * simd::kTileFloats);
  parts.distance = scratch.distance();
  return parts;
}

// Two tiles of rows and two of columns at a time.
void StreamedProduct::multiply(const std::byte* kept, std::int64_t rows, const Block& block, float* sums) const {
  const auto sums_of = [&](std::int64_t row, std::int64_t column) {
    return sums + (row * shape_.panel_tiles + column) * simd::kTileFloats;
  };
  for (std::int64_t row = 0; row < rows; row += 2) {
    const std::byte* row_tiles = kept + row * line_bytes() + block.first_step * simd::kTileBytes;
    for (std::int64_t column = 0; column < block.tiles; column += 2) {
      const std::byte* column_tiles = block.to + column * block.tile_bytes;
      simd::TileCorrelation product{.gradients = row_tiles,
                                    .gradient_channels = line_bytes(),
                                    .gradient_strip = 0,
                                    .sources = {column_tiles, column_tiles + block.tile_bytes},
                                    .source_strip = 0,
                                    .strips = 1,
                                    .steps = static_cast<int>(block.steps),
                                    .channel_tiles = row + 1 < rows ? 2 : 1,
                                    .items = column + 1 < block.tiles ? 2 : 1,
                                    .sums = {{sums_of(row, column), sums_of(row, column + 1)},
                                             {sums_of(row + 1, column), sums_of(row + 1, column + 1)}},
                                    .accumulate = block.first_step > 0};
      if (shape_.streamed_first) {
        std::swap(product.channel_tiles, product.items);
        std::swap(product.sums[0][1], product.sums[1][0]);
        product.gradients = column_tiles;
        product.gradient_channels = block.tile_bytes;
        product.sources[0] = row_tiles;
        product.sources[1] = row_tiles + line_bytes();
      }
      loops_->correlate(product);
    }
  }
}

const float* StreamedProduct::turned(const float* sums, float* to) const {
  if (!shape_.streamed_first) return sums;
  loops_->sum_transposed(sums, 0, 1, to);
  return to;
}

}  // namespace convoy::kernels
