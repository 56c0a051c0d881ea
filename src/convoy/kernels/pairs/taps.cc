#include "convoy/kernels/pairs/taps.h"

#include <algorithm>

#include "convoy/kernels/parallel.h"

namespace convoy::kernels {

BlockedTaps::BlockedTaps(const ConvolutionProblem& problem)
    : problem_(problem), blocks_((problem.in_channels + kPairedBlock - 1) / kPairedBlock) {}

void BlockedTaps::pack(const BFloat16* samples, std::int64_t first_row, std::int64_t rows, std::int64_t item,
                       simd::BFloat16Pair* cells) const {
  const ConvolutionProblem& p = problem_;
  const std::int64_t taps = p.kernel_h * p.kernel_w;
  const std::int64_t tap = item % taps;
  const std::int64_t down = tap / p.kernel_w * p.dilation_h - p.pad_top;
  const std::int64_t left = tap % p.kernel_w * p.dilation_w - p.pad_left;  // what the first column of the result reads
  const auto first = left >= 0 ? 0 : (-left + p.stride_w - 1) / p.stride_w;
  const auto last = std::min(p.out_w, (p.in_w - left + p.stride_w - 1) / p.stride_w);
  for (std::int64_t row = first_row; row < first_row + rows; ++row, cells += row_pairs() * kPairedBlock) {
    const std::int64_t y = row % p.out_h * p.stride_h + down;
    const bool inside = y >= 0 && y < p.in_h;
    const std::int64_t line = (row / p.out_h * blocks_ + item / taps) * p.in_h + (inside ? y : 0);
    simd::pair_packing()->pair_pixels(samples + (line * p.in_w + left) * kPairedBlock, p.stride_w * kPairedBlock,
                                      static_cast<int>(first), inside ? static_cast<int>(last) : 0,
                                      static_cast<int>(row_pairs()), cells, nullptr);
  }
}

// Weights are in the same order.
void BlockedTaps::store(const float* sums, float* weights) const {
  const std::int64_t blocks = (problem_.out_channels + kPairedBlock - 1) / kPairedBlock;
  std::copy_n(sums, blocks * items() * kPairedBlock * kPairedBlock, weights);
}

bool PlainTaps::apply(const ConvolutionProblem& p) {
  constexpr std::int64_t kFewChannels = 4;
  constexpr std::int64_t kManyTaps = 128;
  return p.in_channels <= kFewChannels && p.in_channels * p.kernel_h * p.kernel_w >= kManyTaps && p.dilation_h == 1 &&
         p.dilation_w == 1;
}

PlainTaps::PlainTaps(const ConvolutionProblem& problem) : problem_(problem) {
  for (std::int64_t channel = 0; channel < problem.in_channels; ++channel) {
    for (std::int64_t row = 0; row < problem.kernel_h; ++row) {
      for (std::int64_t column = 0; column < problem.kernel_w; ++column) {
        offsets_.push_back(static_cast<std::int32_t>((channel * padded_height() + row) * row_elements() +
                                                     column % problem.stride_w * phase_width() +
                                                     column / problem.stride_w));
      }
    }
  }
}

std::int64_t PlainTaps::sample_elements() const {
  return problem_.batch * problem_.in_channels * padded_height() * row_elements();
}

const BFloat16* PlainTaps::samples(const BFloat16* source, BFloat16* copy) const {
  const std::int64_t rows = problem_.in_channels * padded_height();
  parallel_for(problem_.batch, [&](std::int64_t sample) {
    for (std::int64_t row = 0; row < rows; ++row) {
      const std::int64_t plane = sample * problem_.in_channels + row / padded_height();
      copy_row(source + plane * problem_.in_h * problem_.in_w, row % padded_height() - problem_.pad_top,
               copy + (sample * rows + row) * row_elements());
    }
  });
  return copy;
}

// Copies row y of a channel, phase by phase.
void PlainTaps::copy_row(const BFloat16* source, std::int64_t y, BFloat16* to) const {
  const std::int64_t stride = problem_.stride_w;
  std::fill_n(to, row_elements(), BFloat16{});
  if (y < 0 || y >= problem_.in_h) return;
  const BFloat16* const from = source + y * problem_.in_w;
  for (std::int64_t phase = 0; phase < stride; ++phase, to += phase_width()) {
    const std::int64_t left = phase - problem_.pad_left;
    const std::int64_t first = left >= 0 ? 0 : (-left + stride - 1) / stride;
    const std::int64_t last = std::min(phase_width(), (problem_.in_w - left + stride - 1) / stride);
    for (std::int64_t i = first; i < last; ++i) to[i] = from[i * stride + left];
  }
}

const BFloat16* PlainTaps::place_of(const BFloat16* samples, std::int64_t row, std::int64_t group) const {
  const std::int64_t sample = row / problem_.out_h;
  const std::int64_t y = row % problem_.out_h * problem_.stride_h;
  return samples + (sample * problem_.in_channels * padded_height() + y) * row_elements() + group * kPairedBlock;
}

int PlainTaps::taps_of(std::int64_t item) const {
  return static_cast<int>(std::min(kPairedBlock, taps() - item * kPairedBlock));
}

void PlainTaps::pack(const BFloat16* samples, std::int64_t first_row, std::int64_t rows, std::int64_t item,
                     simd::BFloat16Pair* cells) const {
  const std::int64_t count = rows * groups();
  const auto place = [&](std::int64_t i) { return place_of(samples, first_row + i / groups(), i % groups()); };
  for (std::int64_t i = 0; i < count; i += 2, cells += kPairedBlock * kPairedBlock) {
    const BFloat16* const both[2] = {place(i), place(std::min(i + 1, count - 1))};
    simd::pair_packing()->turn_taps(both, offsets_.data() + item * kPairedBlock, taps_of(item), cells);
  }
}

void PlainTaps::store(const float* sums, float* weights) const {
  for (std::int64_t out = 0; out < problem_.out_channels; ++out) {
    for (std::int64_t tap = 0; tap < taps(); ++tap) {
      const std::int64_t square = out / kPairedBlock * items() + tap / kPairedBlock;
      *weights++ = sums[(square * kPairedBlock + tap % kPairedBlock) * kPairedBlock + out % kPairedBlock];
    }
  }
}

}  // namespace convoy::kernels
