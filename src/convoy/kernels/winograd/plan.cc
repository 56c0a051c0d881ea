#include "convoy/kernels/winograd/plan.h"

#include <algorithm>

namespace convoy::kernels {
namespace {

// How much of a core's second-level cache the transformed tiles of one thread may take, before and after the product.
constexpr std::int64_t kTileBytes = std::int64_t{512} << 10;
// How much of the third-level cache all transformed tiles may take if threads share them.
constexpr std::int64_t kSharedTileBytes = std::int64_t{8} << 20;
// With fewer tiles, a product waits for its weights to be loaded.
constexpr std::int64_t kFewestTiles = 28;
// How much memory each thread may use for its own gradient of all weights.
constexpr std::int64_t kOwnWeightBytes = std::int64_t{2} << 20;

std::int64_t blocks_of(std::int64_t channels, int lanes) { return (channels + lanes - 1) / lanes; }

// The number of tiles per block if blocks have at most `most` tiles and about the same size, and each of `shares` gets
// equally many.
std::int64_t even_block(std::int64_t tiles, std::int64_t most, std::int64_t shares) {
  const std::int64_t rounds = (tiles + most * shares - 1) / (most * shares);
  return std::max<std::int64_t>(1, (tiles + rounds * shares - 1) / (rounds * shares));
}

}  // namespace

WinogradPlan::WinogradPlan(const simd::WinogradLoops& loops, const ConvolutionProblem& p, Pass pass, int threads,
                           DataType type)
    : loops_(&loops),
      rotated_(pass == Pass::backward_data),
      threads_(threads),
      batch_(p.batch),
      source_{blocks_of(p.in_channels, loops.block), static_cast<int>(p.in_h), static_cast<int>(p.in_w)},
      result_{blocks_of(p.out_channels, loops.block), static_cast<int>(p.out_h), static_cast<int>(p.out_w)},
      top_(-static_cast<int>(p.pad_top)),
      left_(-static_cast<int>(p.pad_left)) {
  if (rotated_) {
    std::swap(source_, result_);
    top_ = 1 - loops.taps - top_;
    left_ = 1 - loops.taps - left_;
  }
  tile_rows_ = (result_.height + loops.outputs - 1) / loops.outputs;
  tile_columns_ = (result_.width + loops.outputs - 1) / loops.outputs;
  order_ = best_order(pass);
  block_tiles_ = best_block_tiles(pass, type);
}

// Convolutions keep in memory whichever is smaller, transformed weights or transformed tiles; weights that are used
// only once and not kept justify somewhat more tiles. For the gradient by tiles, every thread needs its own weights.
WinogradOrder WinogradPlan::best_order(Pass pass) const {
  const std::int64_t weights = weight_squares() * loops_->block;
  const std::int64_t weight_bytes = weight_squares() * square_cells<float>() * std::int64_t{sizeof(float)};
  const bool by_tiles = pass == Pass::backward_weights ? weight_bytes <= kOwnWeightBytes
                                                       : 2 * weights <= tiles() * (source_.blocks + result_.blocks);
  return by_tiles ? WinogradOrder::by_tiles : WinogradOrder::by_weights;
}

std::int64_t WinogradPlan::best_block_tiles(Pass pass, DataType type) const {
  // Products are floats; a gradient of weights has none for each tile.
  const std::size_t result_bytes = pass == Pass::backward_weights ? size_of(type) : sizeof(float);
  const auto row_bytes =
      static_cast<std::int64_t>(loops_->block * (source_.blocks * size_of(type) + result_.blocks * result_bytes));
  const auto within = [&](std::int64_t bytes) { return std::max(kFewestTiles, bytes / (point_count() * row_bytes)); };
  if (order_ == WinogradOrder::by_tiles) return even_block(tiles(), within(kTileBytes), threads_);
  return pass == Pass::backward_weights ? even_block(tiles(), within(kSharedTileBytes), 1) : tiles();
}

}  // namespace convoy::kernels
