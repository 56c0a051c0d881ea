// The geometry of a winograd convolution: how images are cut into tiles, tiles into blocks that stay in a core's cache,
// and the scratchpad into matrices.
#pragma once

#include <cstdint>
#include <utility>

#include "convoy/kernels/convolution.h"
#include "convoy/kernels/simd/winograd.h"

namespace convoy::kernels {

// A blocked image tensor: blocks of channels, and the size of a plane.
struct Planes {
  std::int64_t blocks;
  int height, width;

  [[nodiscard]] std::int64_t offset(std::int64_t sample, std::int64_t block, int lanes) const {
    return (sample * blocks + block) * height * width * lanes;
  }
};

// Values at points, of some tiles and blocks of channels. Points lie one row further apart than they have to: they are
// written all at once, and at multiples of 4 KiB they would drive each other out of the cache.
struct PointMatrices {
  float* at;
  std::int64_t rows;    // tiles
  std::int64_t blocks;  // of channels
  int lanes;

  [[nodiscard]] std::int64_t block() const { return rows * lanes; }
  [[nodiscard]] std::int64_t point() const { return blocks * block() + lanes; }
  [[nodiscard]] std::int64_t floats(int points) const { return point() * points * points; }
  [[nodiscard]] float* row(std::int64_t block_index, std::int64_t tile) const {
    return at + block_index * block() + tile * lanes;
  }
};

// What the work is divided by. By tiles: all weights are taken to points once, and blocks of tiles are multiplied with
// them. By weights: all tiles are taken to points once, and blocks of weights, each of which is needed only once, go
// from their own form to points, products and back while they are in the cache.
enum class WinogradOrder : std::uint8_t { by_tiles, by_weights };

class WinogradPlan {
 public:
  // For the forward pass and the weights' gradient; turned: for the gradient of the source, which is the convolution of
  // the result's gradient with turned weights.
  WinogradPlan(const simd::WinogradLoops& loops, const ConvolutionProblem& problem, bool turned, WinogradOrder order,
               int threads);

  [[nodiscard]] const simd::WinogradLoops& loops() const { return *loops_; }
  [[nodiscard]] WinogradOrder order() const { return order_; }
  [[nodiscard]] bool turned() const { return turned_; }
  [[nodiscard]] int threads() const { return threads_; }
  [[nodiscard]] int points() const { return loops_->points * loops_->points; }
  [[nodiscard]] const Planes& source() const { return source_; }
  [[nodiscard]] const Planes& result() const { return result_; }
  [[nodiscard]] std::int64_t tiles() const { return batch_ * tile_rows_ * tile_columns_; }

  // Tiles in one block, and the blocks.
  [[nodiscard]] std::int64_t block_tiles() const { return block_tiles_; }
  [[nodiscard]] std::int64_t tile_blocks() const { return (tiles() + block_tiles_ - 1) / block_tiles_; }

  // Floats of one block of weights: as they are, and at points, with distances like those of PointMatrices.
  [[nodiscard]] std::int64_t weights_floats() const { return square() * loops_->taps * loops_->taps; }
  [[nodiscard]] std::int64_t weights_point() const { return square() + loops_->block; }
  [[nodiscard]] std::int64_t point_weights_floats() const { return weights_point() * points(); }
  // A block's number in memory: weights lie by output, then input channels of the layer.
  [[nodiscard]] std::int64_t weights_block(std::int64_t result_block, std::int64_t source_block) const {
    return turned_ ? source_block * result_.blocks + result_block : result_block * source_.blocks + source_block;
  }

  // body(k, sample, place of the source, place of the result) for tiles first + k, k < count.
  template <typename Body>
  void for_tiles(std::int64_t first, std::int64_t count, const Body& body) const;

 private:
  [[nodiscard]] std::int64_t square() const { return std::int64_t{loops_->block} * loops_->block; }

  const simd::WinogradLoops* loops_;
  WinogradOrder order_;
  bool turned_;
  int threads_;
  std::int64_t batch_;
  Planes source_;
  Planes result_;
  int top_, left_;  // where the first tile begins in the source
  std::int64_t tile_rows_, tile_columns_;
  std::int64_t block_tiles_;
};

template <typename Body>
void WinogradPlan::for_tiles(std::int64_t first, std::int64_t count, const Body& body) const {
  const int size = loops_->outputs;
  std::int64_t column = first % tile_columns_;
  std::int64_t row = first / tile_columns_ % tile_rows_;
  std::int64_t sample = first / (tile_columns_ * tile_rows_);
  for (std::int64_t k = 0; k < count; ++k) {
    const int h = static_cast<int>(row) * size;
    const int w = static_cast<int>(column) * size;
    body(k, sample, simd::TilePlace{h + top_, w + left_, source_.height, source_.width},
         simd::TilePlace{h, w, result_.height, result_.width});
    if (++column < tile_columns_) continue;
    column = 0;
    if (++row < tile_rows_) continue;
    row = 0;
    ++sample;
  }
}

// The part of `count` things that falls to one of `shares`: first and last, the latter excluded.
[[nodiscard]] inline std::pair<std::int64_t, std::int64_t> share_of(std::int64_t count, std::int64_t share,
                                                                    std::int64_t shares) {
  return {count * share / shares, count * (share + 1) / shares};
}

}  // namespace convoy::kernels
