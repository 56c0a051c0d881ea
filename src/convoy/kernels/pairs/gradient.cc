#include "convoy/kernels/pairs/gradient.h"

#include <algorithm>

#include "convoy/kernels/parallel.h"

namespace convoy::kernels {
namespace {

// So many pairs that they stay in the first-level cache together with an item, and that reading and writing sums takes
// little of the time.
constexpr std::int64_t kStripPairs = 128;

}  // namespace

template <typename Taps>
PairedGradient<Taps>::PairedGradient(const ConvolutionProblem& p, int threads)
    : taps_(p),
      threads_(threads),
      batch_(p.batch),
      height_(p.out_h),
      width_(p.out_w),
      blocks_((p.out_channels + kPairedBlock - 1) / kPairedBlock),
      biases_(p.bias ? p.out_channels : 0),
      strip_rows_(std::clamp<std::int64_t>(kStripPairs / taps_.row_pairs(), 1, rows())) {}

template <typename Taps>
std::int64_t PairedGradient<Taps>::weight_floats() const {
  return blocks_ * taps_.items() * kPairedBlock * kPairedBlock;
}

template <typename Taps>
std::size_t PairedGradient<Taps>::scratch_bytes() const {
  Scratch scratch(nullptr, threads_);
  (void)lay_out(scratch);
  return scratch.bytes();
}

template <typename Taps>
typename PairedGradient<Taps>::Parts PairedGradient<Taps>::lay_out(Scratch& scratch) const {
  using simd::BFloat16Pair;
  static_assert(sizeof(BFloat16Pair) == sizeof(float));
  // Items are packed two groups of pixels at a time.
  const std::int64_t item_pairs = strip_pairs() + kPairedBlock;
  Parts parts{};
  parts.gradients = reinterpret_cast<BFloat16Pair*>(scratch.take_own(blocks_ * strip_pairs() * kPairedBlock));
  parts.item = reinterpret_cast<BFloat16Pair*>(scratch.take_own(item_pairs * kPairedBlock));
  parts.weights = scratch.take_own(weight_floats());
  parts.bias_sums = scratch.take_own(blocks_ * kPairedBlock);
  parts.distance = scratch.distance();
  parts.samples = reinterpret_cast<BFloat16*>(scratch.take((taps_.sample_elements() + 1) / 2));
  return parts;
}

template <typename Taps>
void PairedGradient<Taps>::run(const BFloat16* source, const BFloat16* gradient, float* diff_weights, float* diff_bias,
                               float* scratchpad) const {
  Scratch scratch(scratchpad, threads_);
  const Parts parts = lay_out(scratch);
  const BFloat16* const samples = taps_.samples(source, parts.samples);
  parallel_for(threads_, [&](std::int64_t thread) {
    Parts own = parts;
    const std::int64_t distance = thread * parts.distance;
    own.gradients += distance;
    own.item += distance;
    own.weights += distance;
    own.bias_sums += distance;
    add_strips(thread, samples, gradient, own);
  });
  add_up(parts, diff_weights, diff_bias);
}

// Sums up a thread's share of the strips.
template <typename Taps>
void PairedGradient<Taps>::add_strips(std::int64_t thread, const BFloat16* samples, const BFloat16* gradient,
                                      const Parts& parts) const {
  const std::int64_t begin = strips() * thread / threads_;
  const std::int64_t end = strips() * (thread + 1) / threads_;
  if (begin == end) std::fill_n(parts.weights, weight_floats(), 0.0F);
  std::fill_n(parts.bias_sums, blocks_ * kPairedBlock, 0.0F);
  for (std::int64_t strip = begin; strip < end; ++strip) {
    const std::int64_t first_row = strip * strip_rows_;
    const std::int64_t count = std::min(strip_rows_, rows() - first_row);
    pack_gradients(gradient, first_row, count, parts);
    for (std::int64_t item = 0; item < taps_.items(); ++item) {
      taps_.pack(samples, first_row, count, item, parts.item);
      simd::products_of<simd::BFloat16Pair>().correlate({.v = parts.item,
                                                         .y = parts.gradients,
                                                         .u = parts.weights + item * kPairedBlock * kPairedBlock,
                                                         .y_column = strip_pairs() * kPairedBlock,
                                                         .u_column = taps_.items() * kPairedBlock * kPairedBlock,
                                                         .rows = count * taps_.row_pairs(),
                                                         .columns = static_cast<int>(blocks_),
                                                         .accumulate = strip > begin,
                                                         .next = parts.item});
    }
  }
}

template <typename Taps>
void PairedGradient<Taps>::pack_gradients(const BFloat16* gradient, std::int64_t first_row, std::int64_t rows,
                                          const Parts& parts) const {
  for (std::int64_t block = 0; block < blocks_; ++block) {
    simd::BFloat16Pair* cells = parts.gradients + block * strip_pairs() * kPairedBlock;
    for (std::int64_t row = first_row; row < first_row + rows; ++row, cells += taps_.row_pairs() * kPairedBlock) {
      const std::int64_t line = (row / height_ * blocks_ + block) * height_ + row % height_;
      simd::pair_packing()->pair_pixels(gradient + line * width_ * kPairedBlock, kPairedBlock, 0,
                                        static_cast<int>(width_), static_cast<int>(taps_.row_pairs()), cells,
                                        biases_ > 0 ? parts.bias_sums + block * kPairedBlock : nullptr);
    }
  }
}

// Adds up what the threads have found, in their order.
template <typename Taps>
void PairedGradient<Taps>::add_up(const Parts& parts, float* diff_weights, float* diff_bias) const {
  constexpr std::int64_t kChunk = 1024;
  parallel_ranges(weight_floats(), kChunk, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t thread = 1; thread < threads_; ++thread) {
      const float* const other = parts.weights + thread * parts.distance;
      for (std::int64_t i = first; i < last; ++i) parts.weights[i] += other[i];
    }
  });
  taps_.store(parts.weights, diff_weights);
  for (std::int64_t i = 0; i < biases_; ++i) {
    diff_bias[i] = 0;
    for (std::int64_t thread = 0; thread < threads_; ++thread) {
      diff_bias[i] += parts.bias_sums[thread * parts.distance + i];
    }
  }
}

template class PairedGradient<BlockedTaps>;
template class PairedGradient<PlainTaps>;

}  // namespace convoy::kernels
