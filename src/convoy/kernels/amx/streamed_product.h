// Products of a matrix that is kept with one that is streamed, on matrix registers. What is kept (samples, or pixels)
// is brought into the form of the registers as a whole. What is streamed (weights) is read once: threads claim panels
// of its columns, and of a panel they bring one block after the other into that form, short enough that the block stays
// in the second-level cache together with what is kept and the sums.
//
// If that is too much to keep at once, it is divided into groups, and the weights are read once for each.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "convoy/kernels/parallel.h"
#include "convoy/kernels/scratch.h"
#include "convoy/kernels/simd/amx.h"

namespace convoy::kernels {

class StreamedProduct {
 public:
  struct Shape {
    std::int64_t row_tiles, column_tiles;  // of the result: what is kept has the rows, what is streamed the columns
    std::int64_t steps;                    // of 32 numbers that are summed
    std::int64_t group_tiles;              // of rows
    std::int64_t panel_tiles;              // of columns, even; fewer if there would be too few panels for the threads
    // A register's first factor has whole rows, its second factor rows in pairs. Usually the streamed factor is the
    // second; if it is the first, tiles of sums come out transposed and are turned before they are written.
    bool streamed_first;
  };
  struct Parts {
    float* block;  // of the first thread
    float* sums;
    std::int64_t distance;  // from one thread's parts to the next one's
  };
  // Some tiles of columns and some steps of them: step s of tile t belongs at `to` + t * tile_bytes + s * kTileBytes.
  struct Block {
    std::int64_t first_tile, tiles;
    std::int64_t first_step, steps;
    std::byte* to;
    std::int64_t tile_bytes;
  };

  StreamedProduct(const simd::AmxLoops& loops, const Shape& shape, int threads);

  // To be called before other parts of the scratchpad are laid out.
  [[nodiscard]] Parts lay_out(Scratch& scratch) const;
  [[nodiscard]] std::int64_t line_bytes() const { return shape_.steps * simd::kTileBytes; }

  // On every thread: keep(thread, first row tile, tiles) returns the rows of a group, each tile line_bytes() long;
  // pack(block) fills a block; write(row tile, column tile, sums) takes a finished tile.
  template <typename Keep, typename Pack, typename Write>
  void run(const Parts& parts, const Keep& keep, const Pack& pack, const Write& write) const;

 private:
  [[nodiscard]] std::int64_t block_steps() const;
  [[nodiscard]] std::int64_t groups() const { return (shape_.row_tiles + shape_.group_tiles - 1) / shape_.group_tiles; }
  [[nodiscard]] std::int64_t panels() const {
    return (shape_.column_tiles + shape_.panel_tiles - 1) / shape_.panel_tiles;
  }
  void multiply(const std::byte* kept, std::int64_t rows, const Block& block, float* sums) const;
  [[nodiscard]] const float* turned(const float* sums, float* to) const;

  const simd::AmxLoops* loops_;
  Shape shape_;
  int threads_;
};

template <typename Keep, typename Pack, typename Write>
void StreamedProduct::run(const Parts& parts, const Keep& keep, const Pack& pack, const Write& write) const {
  Claims claims(groups() * panels(), threads_);
  parallel_for(threads_, [&](std::int64_t thread) {
    auto* const to = reinterpret_cast<std::byte*>(parts.block + thread * parts.distance);
    float* const sums = parts.sums + thread * parts.distance;
    alignas(64) float tile[simd::kTileFloats];
    const std::byte* kept = nullptr;
    std::int64_t kept_group = -1;
    loops_->begin(simd::kTileDepth);
    claims.work(thread, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) {
        const std::int64_t group = i / panels();
        const std::int64_t first_row = group * shape_.group_tiles;
        const std::int64_t rows = std::min(shape_.group_tiles, shape_.row_tiles - first_row);
        if (group != kept_group) kept = keep(thread, first_row, rows);
        kept_group = group;
        const std::int64_t first_column = i % panels() * shape_.panel_tiles;
        Block block{.first_tile = first_column,
                    .tiles = std::min(shape_.panel_tiles, shape_.column_tiles - first_column),
                    .first_step = 0,
                    .steps = 0,
                    .to = to,
                    .tile_bytes = block_steps() * simd::kTileBytes};
        for (; block.first_step < shape_.steps; block.first_step += block_steps()) {
          block.steps = std::min(block_steps(), shape_.steps - block.first_step);
          pack(block);
          multiply(kept, rows, block, sums);
        }
        for (std::int64_t row = 0; row < rows; ++row) {
          for (std::int64_t column = 0; column < block.tiles; ++column) {
            const float* done = sums + (row * shape_.panel_tiles + column) * simd::kTileFloats;
            write(first_row + row, first_column + column, turned(done, tile));
          }
        }
      }
    });
    loops_->end();
  });
}

}  // namespace convoy::kernels
