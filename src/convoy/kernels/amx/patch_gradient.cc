#include "convoy/kernels/amx/patch_gradient.h"

#include <algorithm>

#include "convoy/kernels/parallel.h"

namespace convoy::kernels {
namespace {

using simd::kTileDepth;

// How much of the second-level cache a panel may take, and how many items it has at most.
constexpr std::int64_t kItemsBytes = std::int64_t{512} << 10;
constexpr std::int64_t kMostItems = 8;

}  // namespace

AmxPatchGradient::AmxPatchGradient(const simd::AmxLoops& loops, const ConvolutionProblem& p, int threads)
    : loops_(&loops), patches_(p, Pass::backward_weights), biases_(p.bias ? p.out_channels : 0), threads_(threads) {}

std::int64_t AmxPatchGradient::panel_items() const {
  return std::clamp<std::int64_t>(kItemsBytes / line_bytes() / 2 * 2, 2, kMostItems);
}

std::size_t AmxPatchGradient::scratch_bytes() const {
  Scratch scratch(nullptr, threads_);
  (void)lay_out(scratch);
  return scratch.bytes();
}

AmxPatchGradient::Parts AmxPatchGradient::lay_out(Scratch& scratch) const {
  const std::int64_t blocks = patches_.result().blocks;
  Parts parts{};
  parts.rows = scratch.take_own(2 * simd::kTileFloats);
  parts.items = scratch.take_own(panel_items() * steps() * simd::kTileFloats);
  parts.distance = scratch.distance();
  parts.gradients = scratch.take(blocks * steps() * simd::kTileFloats);
  parts.bias_sums = scratch.take(blocks * kTileRows);
  return parts;
}

void AmxPatchGradient::run(const BFloat16* source, const BFloat16* gradient, float* diff_weights, float* diff_bias,
                           float* scratchpad) const {
  Scratch scratch(scratchpad, threads_);
  const Parts parts = lay_out(scratch);
  const auto rows_of = [&](std::int64_t thread) {
    return reinterpret_cast<BFloat16*>(parts.rows + thread * parts.distance);
  };
  auto* const gradients = reinterpret_cast<std::byte*>(parts.gradients);
  Claims blocks(patches_.result().blocks, threads_);
  parallel_for(threads_, [&](std::int64_t thread) {
    blocks.work(thread, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) {
        pack_gradients(gradient, i, rows_of(thread), gradients + i * line_bytes(), parts.bias_sums + i * kTileRows);
      }
    });
  });
  Claims claims(items(), threads_, panel_items());
  parallel_for(threads_, [&](std::int64_t thread) {
    auto* const panel = reinterpret_cast<std::byte*>(parts.items + thread * parts.distance);
    loops_->begin(kTileDepth);
    claims.work(thread, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t from = first; from < last; from += panel_items()) {
        const std::int64_t count = std::min(panel_items(), last - from);
        for (std::int64_t i = 0; i < count; ++i) {
          pack_item(source, from + i, rows_of(thread), panel + i * line_bytes());
        }
        multiply_panel(panel, gradients, from, count, diff_weights);
      }
    });
    loops_->end();
  });
  std::copy_n(parts.bias_sums, biases_, diff_bias);
}

// Packs a block of channels, and sums up its pixels for the gradient of the bias.
void AmxPatchGradient::pack_gradients(const BFloat16* gradient, std::int64_t block, BFloat16* rows, std::byte* to,
                                      float* sums) const {
  const BFloat16* plane = gradient + block * patches_.result().plane_elements();
  std::fill_n(sums, kTileRows, 0.0F);
  for (std::int64_t step = 0; step < steps(); ++step, to += simd::kTileBytes) {
    loops_->gather_places16(plane, patches_.own_places(step * kTileDepth), rows);
    if (biases_ > 0) loops_->add_rows(rows, kTileDepth, sums);
    loops_->pair_rows(rows, kTileDepth / 2, reinterpret_cast<BFloat16*>(to));
  }
}

void AmxPatchGradient::pack_item(const BFloat16* source, std::int64_t item, BFloat16* rows, std::byte* to) const {
  const BFloat16* plane = source + item / patches_.taps() * patches_.source().plane_elements();
  const auto tap = static_cast<int>(item % patches_.taps());
  BFloat16* const pairs = rows + kTileDepth * kTileRows;
  for (std::int64_t step = 0; step < steps(); ++step, to += simd::kTileBytes) {
    loops_->gather_places16(plane, patches_.places(tap, step * kTileDepth), rows);
    loops_->pair_rows(rows, kTileDepth / 2, pairs);
    loops_->transpose_pairs(pairs, reinterpret_cast<BFloat16*>(to));
  }
}

// Multiplies `count` items from the one numbered `first` on with all blocks of the gradient. In memory weights are
// squares of 16 source channels by 16 result channels, ordered by blocks of result channels, then items.
void AmxPatchGradient::multiply_panel(const std::byte* panel, const std::byte* gradients, std::int64_t first,
                                      std::int64_t count, float* diff_weights) const {
  const std::int64_t blocks = patches_.result().blocks;
  for (std::int64_t block = 0; block < blocks; block += 2) {
    const std::byte* columns = gradients + block * line_bytes();
    for (std::int64_t i = 0; i < count; i += 2) {
      const auto square = [&](std::int64_t item, std::int64_t result_block) {
        return diff_weights + ((block + result_block) * items() + first + i + item) * simd::kTileFloats;
      };
      loops_->correlate({.gradients = panel + i * line_bytes(),
                         .gradient_channels = line_bytes(),
                         .gradient_strip = 0,
                         .sources = {columns, columns + line_bytes()},
                         .source_strip = 0,
                         .strips = 1,
                         .steps = static_cast<int>(steps()),
                         .channel_tiles = i + 1 < count ? 2 : 1,
                         .items = block + 1 < blocks ? 2 : 1,
                         .sums = {{square(0, 0), square(0, 1)}, {square(1, 0), square(1, 1)}},
                         .accumulate = false});
    }
  }
}

}  // namespace convoy::kernels
