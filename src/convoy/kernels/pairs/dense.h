// A dense layer as a product of samples and weights in pairs of bf16 numbers: forward, or for the source's gradient.
// oneDNN's kernels reach half to three quarters of the processor's rate where there are no matrix registers.
//
// Both passes sum up over blocks of 16 numbers: those of a sample's row forward, a result's outputs backward. The sums
// of a block of results for all samples are a column. Threads claim groups of columns; of a group's weights, as many as
// fit the second-level cache are brought to cells at a time.
#pragma once

#include <algorithm>
#include <cstddef>

#include "convoy/kernels/convolution.h"
#include "convoy/kernels/scratch.h"
#include "convoy/kernels/simd/pair_packing.h"

namespace convoy::kernels {

class PairedDense {
 public:
  // `in` is the length of a sample's row, in whole pairs of blocks.
  PairedDense(const DenseProblem& problem, std::int64_t in, Pass pass, int threads);

  [[nodiscard]] std::size_t scratch_bytes() const;

  // `rows` are the samples' numbers that are summed up. bias may be null.
  template <typename Result>
  void run(const BFloat16* rows, const BFloat16* weights, const float* bias, Result* result, float* scratchpad) const;

 private:
  static constexpr std::int64_t kBlock = simd::kPairedBlock;
  static constexpr std::int64_t kCells = kBlock / simd::kNumbersIn<simd::BFloat16Pair>;

  // Parts of the scratchpad. The first two are each thread's own.
  struct Parts {
    simd::BFloat16Pair* weights;  // of a piece of a group, [column][block][cell][lane]
    float* sums;                  // [column][sample][lane]
    std::int64_t distance;        // from a thread's own parts to those of the next
    simd::BFloat16Pair* samples;  // [block][sample][cell]
  };

  static std::int64_t blocks_of(std::int64_t count) { return (count + kBlock - 1) / kBlock; }

  // The numbers that are summed up for a result, and the results of a sample.
  [[nodiscard]] std::int64_t summands() const { return forward_ ? in_ : out_; }
  [[nodiscard]] std::int64_t results() const { return forward_ ? out_ : in_; }
  [[nodiscard]] std::int64_t depth() const { return blocks_of(summands()); }

  // Cells from a block of samples to the next, and from a column of weights to the next: with gaps, so that not all
  // compete for the same places in the first-level cache.
  [[nodiscard]] std::int64_t sample_step() const { return samples_ * kCells + kBlock; }
  [[nodiscard]] std::int64_t column_step() const { return piece_ * kCells * kBlock + kBlock; }

  [[nodiscard]] Parts lay_out(Scratch& scratch) const;
  void to_cells(const BFloat16* rows, std::int64_t block, simd::BFloat16Pair* samples) const;
  void multiply(const simd::BFloat16Pair* samples, const BFloat16* weights, std::int64_t first, std::int64_t columns,
                simd::BFloat16Pair* cells, float* sums) const;
  void turn(const BFloat16* weights, std::int64_t first, std::int64_t columns, std::int64_t block, std::int64_t blocks,
            simd::BFloat16Pair* cells) const;
  void interleave(const BFloat16* weights, std::int64_t first, std::int64_t columns, std::int64_t block,
                  std::int64_t blocks, simd::BFloat16Pair* cells) const;
  template <typename Result>
  void finish(const float* sums, const float* bias, std::int64_t first, Result* result) const;

  bool forward_;
  int threads_;
  std::int64_t samples_, in_, out_;
  Activation activation_;
  std::int64_t group_, groups_;  // columns in a group, and groups
  std::int64_t piece_;           // blocks that are summed up at a time
};

}  // namespace convoy::kernels
