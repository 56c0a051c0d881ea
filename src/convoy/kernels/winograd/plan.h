// The geometry of a winograd convolution: how images are divided into tiles and tiles into blocks that stay in a core's
// cache, and in which order the work is done.
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

// Values at points (transformed values) of some tiles and blocks of channels, in cells. The points are one row further
// apart than necessary: all of them are written at once, and at multiples of 4 KiB they would evict each other from the
// cache.
template <typename Cell>
struct PointMatrices {
  Cell* at;
  std::int64_t rows;    // of cells
  std::int64_t blocks;  // of channels
  int row_cells;

  [[nodiscard]] std::int64_t block_stride() const { return rows * row_cells; }
  [[nodiscard]] std::int64_t point_stride() const { return blocks * block_stride() + row_cells; }
  [[nodiscard]] std::int64_t cells(int point_count) const { return point_stride() * point_count; }
  [[nodiscard]] Cell* row(std::int64_t block, std::int64_t row) const {
    return at + block * block_stride() + row * row_cells;
  }
};

// How many cells so many numbers take.
template <typename Cell>
[[nodiscard]] constexpr std::int64_t cells_of(std::int64_t numbers) {
  return (numbers + simd::kNumbersIn<Cell> - 1) / simd::kNumbersIn<Cell>;
}

// How the work is divided. By tiles: all weights are transformed and kept, and threads take blocks of tiles, transform
// them, multiply and transform the results back. By weights: all tiles are transformed and kept, and threads take
// blocks of weights, each of which is transformed only once. For the gradient of weights: by tiles, each thread
// computes the gradient of all weights from tiles of its own; by weights, threads share the transformed tiles.
enum class WinogradOrder : std::uint8_t { by_tiles, by_weights };

class WinogradPlan {
 public:
  // The gradient of the source is planned as the convolution that it is: of the result's gradient with weights rotated
  // by 180 degrees. So `source` and `result` are those of this convolution. What is multiplied at points is of `type`.
  WinogradPlan(const simd::WinogradLoops& loops, const ConvolutionProblem& problem, Pass pass, int threads,
               DataType type = DataType::fp32);

  [[nodiscard]] const simd::WinogradLoops& loops() const { return *loops_; }
  [[nodiscard]] WinogradOrder order() const { return order_; }
  [[nodiscard]] bool rotated() const { return rotated_; }
  [[nodiscard]] int threads() const { return threads_; }
  [[nodiscard]] int point_count() const { return loops_->points * loops_->points; }
  [[nodiscard]] const Planes& source() const { return source_; }
  [[nodiscard]] const Planes& result() const { return result_; }
  [[nodiscard]] std::int64_t tiles() const { return batch_ * tile_rows_ * tile_columns_; }

  // How many tiles are transformed at once, and how many such blocks there are.
  [[nodiscard]] std::int64_t block_tiles() const { return block_tiles_; }
  [[nodiscard]] std::int64_t tile_blocks() const { return (tiles() + block_tiles_ - 1) / block_tiles_; }

  // Weights are in squares of one block of channels by another, for each tap or point. At points they are in cells and
  // have gaps like those of PointMatrices.
  [[nodiscard]] std::int64_t weight_squares() const { return source_.blocks * result_.blocks; }
  [[nodiscard]] std::int64_t square_elements() const { return lanes_squared() * loops_->taps * loops_->taps; }
  template <typename Cell>
  [[nodiscard]] std::int64_t weights_point_stride() const {
    return cells_of<Cell>(lanes_squared()) + loops_->block;
  }
  template <typename Cell>
  [[nodiscard]] std::int64_t square_cells() const {
    return weights_point_stride<Cell>() * point_count();
  }
  // The index of a square in memory: weights are ordered by output, then input channels of the layer.
  [[nodiscard]] std::int64_t square_of(std::int64_t result_block, std::int64_t source_block) const {
    return rotated_ ? source_block * result_.blocks + result_block : result_block * source_.blocks + source_block;
  }

  // Calls body(k, sample, place in the source, place in the result) for tiles first + k with k < count.
  template <typename Body>
  void for_tiles(std::int64_t first, std::int64_t count, const Body& body) const;

 private:
  [[nodiscard]] std::int64_t lanes_squared() const { return std::int64_t{loops_->block} * loops_->block; }
  [[nodiscard]] std::int64_t tile_bytes(DataType source, DataType result) const;
  void divide_convolution(DataType type);
  void divide_gradient(DataType type);
  [[nodiscard]] std::int64_t most_own_tiles(std::int64_t tile_bytes) const;

  const simd::WinogradLoops* loops_;
  bool rotated_;
  int threads_;
  std::int64_t batch_;
  Planes source_;
  Planes result_;
  int top_, left_;  // where the first tile begins in the source
  std::int64_t tile_rows_, tile_columns_;
  WinogradOrder order_ = WinogradOrder::by_tiles;
  std::int64_t block_tiles_ = 1;
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

// The part of `count` things that belongs to one of `shares`: first and last, last excluded.
[[nodiscard]] inline std::pair<std::int64_t, std::int64_t> share_of(std::int64_t count, std::int64_t share,
                                                                    std::int64_t shares) {
  return {count * share / shares, count * (share + 1) / shares};
}

}  // namespace convoy::kernels
