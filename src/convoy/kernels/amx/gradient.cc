#include "convoy/kernels/amx/gradient.h"

#include <algorithm>
#include <cstring>

#include "convoy/kernels/parallel.h"

namespace convoy::kernels {
namespace {

constexpr std::int64_t kStepPixels = 32;
// How much the strips may take if the sums stay in a core's second-level cache.
constexpr std::int64_t kStripsBytes = std::int64_t{512} << 10;
// Larger sums do not stay there. Then strips may take this much more memory, so that the sums are read and written
// seldom.
constexpr std::int64_t kStayingSumBytes = std::int64_t{512} << 10;
constexpr std::int64_t kLargeGroupBytes = std::int64_t{8} << 20;

std::int64_t floats_of(std::int64_t bytes) { return bytes / static_cast<std::int64_t>(sizeof(float)); }

}  // namespace

AmxGradient::AmxGradient(const simd::AmxLoops& loops, const ConvolutionProblem& p, int threads)
    : loops_(&loops),
      plan_(p, Pass::backward_weights),
      batch_(p.batch),
      biases_(p.bias ? p.out_channels : 0),
      threads_(threads),
      wanted_(plan_.source_phases().size(), {false, false}) {
  for (const PhaseTap& tap : plan_.result_phases().front().taps) {
    wanted_[static_cast<std::size_t>(tap.source_phase)][static_cast<std::size_t>(plan_.shift(tap) % 2)] = true;
  }
  choose_strips(threads);
}

void AmxGradient::choose_strips(int threads) {
  rows_ = static_cast<int>(std::clamp<std::int64_t>(plan_.most_rows() * batch_ / (2 * threads), 1, plan_.most_rows()));
  const auto bytes = [&] {
    fit_strips();
    return plan_.result().blocks * gradient_strip_bytes() + plan_.source().blocks * source_strip_bytes();
  };
  while (rows_ > 1 && bytes() > kStripsBytes) rows_ = (rows_ + 1) / 2;
  const bool stays = tiles() * simd::kTileBytes <= kStayingSumBytes;
  shared_ = !stays && block_pairs() >= threads;
  const std::int64_t most_bytes = stays ? kStripsBytes : kLargeGroupBytes * (shared_ ? threads : 1);
  group_ = std::clamp<std::int64_t>(most_bytes / bytes(), 1, (strip_count() + shares() - 1) / shares());
}

void AmxGradient::fit_strips() {
  steps_ = static_cast<int>((std::int64_t{rows_} * plan_.strip_width() + kStepPixels - 1) / kStepPixels);
  const std::int64_t furthest = std::int64_t{plan_.extra_rows() + 1} * plan_.strip_width();
  pairs_ = (steps_ * kStepPixels + furthest) / 2 + 1;
}

std::size_t AmxGradient::scratch_bytes() const {
  Scratch scratch;
  (void)lay_out(scratch);
  return scratch.bytes();
}

AmxGradient::Sizes AmxGradient::sizes() const {
  const BlockedImages& result = plan_.result();
  return {.sums = tiles() * simd::kTileFloats,
          .bias_sums = result.blocks * kTileRows,
          .gradients = floats_of(result.blocks * group_ * gradient_strip_bytes()),
          .sources = floats_of(plan_.source().blocks * group_ * source_strip_bytes()),
          .rows = floats_of((pairs_ + 1) * simd::kPairBytes + simd::kTileBytes)};
}

AmxGradient::Parts AmxGradient::lay_out(Scratch& scratch) const {
  const Sizes size = sizes();
  return {.sums = scratch.take(size.sums * shares()),
          .bias_sums = scratch.take(size.bias_sums * threads_),
          .gradients = scratch.take(size.gradients * shares()),
          .sources = scratch.take(size.sources * shares()),
          .rows = scratch.take(size.rows * threads_)};
}

AmxGradient::Parts AmxGradient::part_of(const Parts& first, std::int64_t thread) const {
  const Sizes size = sizes();
  const std::int64_t share = shared_ ? 0 : thread;
  return {.sums = first.sums + share * size.sums,
          .bias_sums = first.bias_sums + thread * size.bias_sums,
          .gradients = first.gradients + share * size.gradients,
          .sources = first.sources + share * size.sources,
          .rows = first.rows + thread * size.rows};
}

void AmxGradient::run(const BFloat16* source, const BFloat16* gradient, float* diff_weights, float* diff_bias,
                      float* scratchpad) const {
  Scratch scratch(scratchpad);
  const Parts first = lay_out(scratch);
  const std::int64_t biases = sizes().bias_sums;
  std::fill_n(first.bias_sums, biases * threads_, 0.0F);
  if (shared_) {
    add_together(source, gradient, first);
  } else {
    parallel_for(threads_, [&](std::int64_t thread) {
      loops_->begin(kStepPixels);
      add_share(source, gradient, strip_count() * thread / threads_, strip_count() * (thread + 1) / threads_,
                part_of(first, thread));
      loops_->end();
    });
  }
  parallel_for(tiles(), [&](std::int64_t i) {
    const std::int64_t at = i * simd::kTileFloats;
    loops_->sum_transposed(first.sums + at, sizes().sums, shares(), diff_weights + at);
  });
  for (std::int64_t i = 0; i < biases_; ++i) {
    diff_bias[i] = 0;
    for (int thread = 0; thread < threads_; ++thread) diff_bias[i] += first.bias_sums[thread * biases + i];
  }
}

// Computes the gradient of the strips from `first` up to, but not including, `last`.
void AmxGradient::add_share(const BFloat16* source, const BFloat16* gradient, std::int64_t first, std::int64_t last,
                            const Parts& parts) const {
  if (first == last) std::fill_n(parts.sums, tiles() * simd::kTileFloats, 0.0F);
  for (std::int64_t from = first; from < last; from += group_) {
    const std::int64_t count = std::min(group_, last - from);
    for (std::int64_t i = 0; i < count; ++i) {
      const Strip strip = plan_.strip(from + i, rows_);
      pack_gradient(gradient, strip, i, parts);
      pack_source(source, strip, i, parts);
    }
    correlate(0, block_pairs(), count, from > first, parts);
  }
}

// Handles all strips, some at a time: the threads prepare them together and then divide the weights.
void AmxGradient::add_together(const BFloat16* source, const BFloat16* gradient, const Parts& first) const {
  with_team([&](const Team& team) {
    const Parts parts = part_of(first, team.thread());
    loops_->begin(kStepPixels);
    for (std::int64_t from = 0; from < strip_count(); from += group_) {
      const std::int64_t count = std::min(group_, strip_count() - from);
      const auto [begin, end] = team.share(count);
      for (std::int64_t i = begin; i < end; ++i) {
        const Strip strip = plan_.strip(from + i, rows_);
        pack_gradient(gradient, strip, i, parts);
        pack_source(source, strip, i, parts);
      }
      team.meet();
      const auto [first_pair, last_pair] = team.share(block_pairs());
      correlate(first_pair, last_pair, count, from > 0, parts);
      team.meet();
    }
    loops_->end();
  });
}

// There are zeros between the rows of the image, so that what the taps read there does not count.
void AmxGradient::pack_gradient(const BFloat16* gradient, const Strip& strip, std::int64_t place,
                                const Parts& parts) const {
  const BlockedImages& images = plan_.result();
  const std::int64_t width = plan_.strip_width();
  auto* rows = reinterpret_cast<BFloat16*>(parts.rows);
  auto* pairs = rows + (pairs_ + 1) * 2 * kTileRows;
  for (std::int64_t block = 0; block < images.blocks; ++block) {
    const BFloat16* from =
        gradient + images.offset(strip.sample, block) + std::int64_t{strip.first_row} * images.width * kTileRows;
    alignas(64) float sums[kTileRows] = {};
    loops_->add_rows(from, biases_ > 0 ? std::int64_t{strip.rows} * images.width : 0, sums);
    for (int i = 0; i < kTileRows; ++i) parts.bias_sums[block * kTileRows + i] += sums[i];
    std::memset(static_cast<void*>(rows), 0, static_cast<std::size_t>(steps_ * kStepPixels) * 2 * kTileRows);
    for (std::int64_t row = 0; row < strip.rows; ++row) {
      loops_->gather16(from + row * images.width * kTileRows, kTileRows, images.width, rows + row * width * kTileRows);
    }
    auto* to = reinterpret_cast<std::byte*>(parts.gradients) + (block * group_ + place) * gradient_strip_bytes();
    for (int step = 0; step < steps_; ++step) {
      loops_->pair_rows(rows + step * kStepPixels * kTileRows, kStepPixels / 2, pairs);
      loops_->transpose_pairs(pairs, reinterpret_cast<BFloat16*>(to + step * simd::kTileBytes));
    }
  }
}

void AmxGradient::pack_source(const BFloat16* source, const Strip& strip, std::int64_t place,
                              const Parts& parts) const {
  const BlockedImages& images = plan_.source();
  const std::int64_t width = plan_.strip_width();
  auto* rows = reinterpret_cast<BFloat16*>(parts.rows);
  for (std::int64_t block = 0; block < images.blocks; ++block) {
    const BFloat16* plane = source + images.offset(strip.sample, block);
    auto* to = reinterpret_cast<std::byte*>(parts.sources) + (block * group_ + place) * source_strip_bytes();
    for (std::size_t phase = 0; phase < wanted_.size(); ++phase) {
      std::memset(static_cast<void*>(rows), 0, static_cast<std::size_t>(pairs_ + 1) * simd::kPairBytes);
      plan_.for_rows(strip, plan_.source_phases()[phase], [&](int row, int y, int x, int at, int count) {
        const BFloat16* from = plane + (std::int64_t{y} * images.width + x) * kTileRows;
        if (count > 0) {
          loops_->gather16(from, plan_.source_stride().columns * kTileRows, count,
                           rows + (row * width + at) * kTileRows);
        }
      });
      for (int odd = 0; odd < 2; ++odd, to += pairs_ * simd::kPairBytes) {
        if (!wanted_[phase][static_cast<std::size_t>(odd)]) continue;
        loops_->pair_rows(rows + odd * kTileRows, pairs_, reinterpret_cast<BFloat16*>(to));
      }
    }
  }
}

// Where the pairs begin that an item reads. An item is a block of the source's channels and a tap.
std::int64_t AmxGradient::source_at(std::int64_t item) const {
  const auto& taps = plan_.result_phases().front().taps;
  const PhaseTap& tap = taps[static_cast<std::size_t>(item % plan_.kernel_taps())];
  const std::int64_t shift = plan_.shift(tap);
  const std::int64_t list = std::int64_t{2} * tap.source_phase + shift % 2;
  return item / plan_.kernel_taps() * group_ * source_strip_bytes() + (list * pairs_ + shift / 2) * simd::kPairBytes;
}

// Computes the sums for some pairs of blocks of the result's channels.
void AmxGradient::correlate(std::int64_t first_pair, std::int64_t last_pair, std::int64_t strips, bool accumulate,
                            const Parts& parts) const {
  const auto* gradients = reinterpret_cast<const std::byte*>(parts.gradients);
  const auto* sources = reinterpret_cast<const std::byte*>(parts.sources);
  const std::int64_t channels = plan_.result().blocks;
  for (std::int64_t block = 2 * first_pair; block < std::min(2 * last_pair, channels); block += 2) {
    for (std::int64_t item = 0; item < items(); item += 2) {
      const std::int64_t next = std::min(item + 1, items() - 1);
      const auto sums = [&](std::int64_t b, std::int64_t i) {
        return parts.sums + (b * items() + i) * simd::kTileFloats;
      };
      loops_->correlate(
          {.gradients = gradients + block * group_ * gradient_strip_bytes(),
           .gradient_channels = group_ * gradient_strip_bytes(),
           .gradient_strip = gradient_strip_bytes(),
           .sources = {sources + source_at(item), sources + source_at(next)},
           .source_strip = source_strip_bytes(),
           .strips = static_cast<int>(strips),
           .steps = steps_,
           .channel_tiles = block + 1 < channels ? 2 : 1,
           .items = next > item ? 2 : 1,
           .sums = {{sums(block, item), sums(block, next)}, {sums(block + 1, item), sums(block + 1, next)}},
           .accumulate = accumulate});
    }
  }
}

}  // namespace convoy::kernels
