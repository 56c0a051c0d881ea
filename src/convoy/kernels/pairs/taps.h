// What the taps of a convolution read, brought to cells of pairs (simd/products.h). An item is a block of 16 numbers
// that a pixel of the result reads.
#pragma once

#include <cstdint>
#include <vector>

#include "convoy/kernels/convolution.h"
#include "convoy/kernels/simd/pair_packing.h"

namespace convoy::kernels {

using simd::kPairedBlock;

// Of images in blocks of channels: an item is a tap and a block of the source's channels.
class BlockedTaps {
 public:
  explicit BlockedTaps(const ConvolutionProblem& problem);

  [[nodiscard]] std::int64_t items() const { return blocks_ * problem_.kernel_h * problem_.kernel_w; }
  // How many pairs a row of the result has.
  [[nodiscard]] std::int64_t row_pairs() const { return (problem_.out_w + 1) / 2; }

  // They read the source itself.
  [[nodiscard]] std::int64_t sample_elements() const { return 0; }
  const BFloat16* samples(const BFloat16* source, BFloat16* /*copy*/) const { return source; }

  // cells[pair][number], for some rows of the results; rows are those of all samples, one sample after another.
  void pack(const BFloat16* samples, std::int64_t first_row, std::int64_t rows, std::int64_t item,
            simd::BFloat16Pair* cells) const;
  // Writes the gradient of the weights, from [block of results][item][number][channel].
  void store(const float* sums, float* weights) const;

 private:
  ConvolutionProblem problem_;
  std::int64_t blocks_;
};

// Of samples with few channels, in plain order: an item is 16 taps, each with one channel. Samples are copied with
// their padding and, where there is a stride, with the columns in between apart, so that pixels that are next to each
// other in the result read numbers that are.
class PlainTaps {
 public:
  explicit PlainTaps(const ConvolutionProblem& problem);

  // Whether there are few channels, and enough taps to make copying worthwhile.
  [[nodiscard]] static bool apply(const ConvolutionProblem& problem);

  [[nodiscard]] std::int64_t taps() const { return static_cast<std::int64_t>(offsets_.size()); }
  [[nodiscard]] std::int64_t items() const { return (taps() + kPairedBlock - 1) / kPairedBlock; }
  [[nodiscard]] std::int64_t row_pairs() const { return groups() * kPairedBlock / 2; }
  // How many groups of 16 pixels a row of the result has.
  [[nodiscard]] std::int64_t groups() const { return (problem_.out_w + kPairedBlock - 1) / kPairedBlock; }

  [[nodiscard]] std::int64_t sample_elements() const;
  const BFloat16* samples(const BFloat16* source, BFloat16* copy) const;

  void pack(const BFloat16* samples, std::int64_t first_row, std::int64_t rows, std::int64_t item,
            simd::BFloat16Pair* cells) const;
  void store(const float* sums, float* weights) const;

 private:
  [[nodiscard]] std::int64_t padded_height() const {
    return (problem_.out_h - 1) * problem_.stride_h + problem_.kernel_h;
  }
  // Numbers that a row of a copy has for each column between two that the same tap reads.
  [[nodiscard]] std::int64_t phase_width() const {
    return groups() * kPairedBlock + (problem_.kernel_w - 1) / problem_.stride_w;
  }
  [[nodiscard]] std::int64_t row_elements() const { return problem_.stride_w * phase_width(); }
  [[nodiscard]] const BFloat16* place_of(const BFloat16* samples, std::int64_t row, std::int64_t group) const;
  [[nodiscard]] int taps_of(std::int64_t item) const;
  void copy_row(const BFloat16* source, std::int64_t y, BFloat16* to) const;

  ConvolutionProblem problem_;
  std::vector<std::int32_t> offsets_;  // of each tap
};

}  // namespace convoy::kernels
