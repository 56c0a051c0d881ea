#include "convoy/kernels/winograd_plan.h"

#include <algorithm>

namespace convoy::kernels {
namespace {

// What the values of a block of tiles, before and after the product, may take of a core's second cache.
constexpr std::int64_t kBlockBytes = std::int64_t{512} << 10;
// Fewer tiles than this make a product wait for its weights.
constexpr std::int64_t kFewestTiles = 28;

std::int64_t blocks_of(std::int64_t channels, int lanes) { return (channels + lanes - 1) / lanes; }

// Blocks of about the same size, as many for each thread.
std::int64_t even_blocks(std::int64_t tiles, std::int64_t most, int threads) {
  const std::int64_t rounds = (tiles + most * threads - 1) / (most * threads);
  return std::max<std::int64_t>(1, (tiles + rounds * threads - 1) / (rounds * threads));
}

}  // namespace

WinogradPlan::WinogradPlan(const simd::WinogradLoops& loops, const ConvolutionProblem& p, bool turned,
                           WinogradOrder order, int threads)
    : loops_(&loops),
      order_(order),
      turned_(turned),
      threads_(threads),
      batch_(p.batch),
      source_{blocks_of(p.in_channels, loops.block), static_cast<int>(p.in_h), static_cast<int>(p.in_w)},
      result_{blocks_of(p.out_channels, loops.block), static_cast<int>(p.out_h), static_cast<int>(p.out_w)},
      top_(-static_cast<int>(p.pad_top)),
      left_(-static_cast<int>(p.pad_left)) {
  if (turned) {
    std::swap(source_, result_);
    top_ = 1 - loops.taps - top_;
    left_ = 1 - loops.taps - left_;
  }
  tile_rows_ = (result_.height + loops.outputs - 1) / loops.outputs;
  tile_columns_ = (result_.width + loops.outputs - 1) / loops.outputs;
  block_tiles_ = tiles();
  if (order == WinogradOrder::by_tiles) {
    const std::int64_t row_bytes = (source_.blocks + result_.blocks) * loops.block * std::int64_t{sizeof(float)};
    const std::int64_t most = std::max(kFewestTiles, kBlockBytes / (points() * row_bytes));
    block_tiles_ = even_blocks(tiles(), most, threads);
  }
}

}  // namespace convoy::kernels
