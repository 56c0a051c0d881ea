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
// How much memory each thread may use for a gradient of weights by tiles.
constexpr std::int64_t kOwnBytes = std::int64_t{16} << 20;

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
  pass == Pass::backward_weights ? divide_gradient(type) : divide_convolution(type);
}

// What one tile takes at points, before and after the product.
std::int64_t WinogradPlan::tile_bytes(DataType source, DataType result) const {
  const std::size_t channels = source_.blocks * size_of(source) + result_.blocks * size_of(result);
  return point_count() * loops_->block * static_cast<std::int64_t>(channels);
}

// Keeps in memory whichever is smaller, transformed weights or transformed tiles; weights that are used only once and
// not kept justify somewhat more tiles.
void WinogradPlan::divide_convolution(DataType type) {
  const std::int64_t weights = weight_squares() * loops_->block;
  const bool by_tiles = 2 * weights <= tiles() * (source_.blocks + result_.blocks);
  order_ = by_tiles ? WinogradOrder::by_tiles : WinogradOrder::by_weights;
  const std::int64_t most = std::max(kFewestTiles, kTileBytes / tile_bytes(type, DataType::fp32));
  block_tiles_ = by_tiles ? even_block(tiles(), most, threads_) : tiles();
}

void WinogradPlan::divide_gradient(DataType type) {
  const std::int64_t bytes = tile_bytes(type, type);
  const std::int64_t most = most_own_tiles(bytes);
  order_ = most > 0 ? WinogradOrder::by_tiles : WinogradOrder::by_weights;
  block_tiles_ = most > 0 ? even_block(tiles(), most, threads_)
                          : even_block(tiles(), std::max(kFewestTiles, kSharedTileBytes / bytes), 1);
}

// The most tiles that a thread may transform at once if each computes the gradient of all weights from its own tiles;
// none if they had better share them. A thread needs the gradient of all weights, and weights at points: of all squares
// if it has several blocks of tiles, as these add to them one after the other.
std::int64_t WinogradPlan::most_own_tiles(std::int64_t tile_bytes) const {
  constexpr std::int64_t kFewBytes = std::int64_t{2} << 20;
  const auto bytes_of = [&](std::int64_t floats) { return weight_squares() * floats * std::int64_t{sizeof(float)}; };
  const std::int64_t weight_bytes = bytes_of(square_elements());
  const std::int64_t bytes_at_points = bytes_of(square_cells<float>());
  if (bytes_at_points <= kFewBytes) return std::max(kFewestTiles, kTileBytes / tile_bytes);
  // Half of the gradients, or half of the tiles, are fetched out of the caches of other threads' cores.
  if (threads_ > 1 && weight_bytes > tiles() * tile_bytes) return 0;
  const std::int64_t own_tiles = (tiles() + threads_ - 1) / threads_;
  const std::int64_t room = kOwnBytes - weight_bytes;
  if (own_tiles * tile_bytes <= room) return own_tiles;
  const std::int64_t block_bytes = std::min(room - bytes_at_points, kSharedTileBytes);
  // Each block of tiles has to be worth reading and writing the weights once more.
  return block_bytes >= bytes_at_points ? std::max(kFewestTiles, block_bytes / tile_bytes) : 0;
}

}  // namespace convoy::kernels
