#include "convoy/kernels/amx/patch_convolution.h"

#include <algorithm>

#include "convoy/kernels/amx/padded_bias.h"

namespace convoy::kernels {
namespace {

// How much of the second-level cache the patches of a group may take.
constexpr std::int64_t kPatchBytes = std::int64_t{1280} << 10;
constexpr std::int64_t kPanelTiles = 4;

}  // namespace

AmxPatchConvolution::AmxPatchConvolution(const simd::AmxLoops& loops, const ConvolutionProblem& p, Pass pass,
                                         int threads)
    : loops_(&loops),
      patches_(p, pass),
      transposed_(pass == Pass::backward_data),
      biases_(pass == Pass::forward && p.bias ? p.out_channels : 0),
      activation_(pass == Pass::forward ? p.activation : Activation::none),
      threads_(threads),
      shape_(in_tiles()),
      streamed_(loops, shape_, threads) {}

StreamedProduct::Shape AmxPatchConvolution::in_tiles() const {
  const std::int64_t row_tiles = (patches_.pixels() + kTileRows - 1) / kTileRows;
  const std::int64_t steps = planes() * patches_.taps();
  const std::int64_t fitting = kPatchBytes / (steps * simd::kTileBytes) / 2 * 2;
  return {.row_tiles = row_tiles,
          .column_tiles = patches_.result().blocks,
          .steps = steps,
          .group_tiles = std::min(row_tiles, std::max<std::int64_t>(2, fitting)),
          .panel_tiles = kPanelTiles,
          .streamed_first = false};
}

std::size_t AmxPatchConvolution::scratch_bytes() const {
  Scratch scratch(nullptr, threads_);
  (void)lay_out(scratch);
  return scratch.bytes();
}

AmxPatchConvolution::Parts AmxPatchConvolution::lay_out(Scratch& scratch) const {
  Parts parts{};
  parts.streamed = streamed_.lay_out(scratch);
  parts.kept = scratch.take_own(shape_.group_tiles * shape_.steps * simd::kTileFloats);
  parts.distance = parts.streamed.distance = scratch.distance();
  parts.bias = scratch.take(biases_ > 0 ? patches_.result().blocks * kTileRows : 0);
  return parts;
}

void AmxPatchConvolution::run(const BFloat16* source, const BFloat16* weights, const float* bias, BFloat16* result,
                              float* scratchpad) const {
  Scratch scratch(scratchpad, threads_);
  const Parts parts = lay_out(scratch);
  const float* shifts = padded_bias(bias, biases_, patches_.result().blocks, parts.bias);
  streamed_.run(
      parts.streamed,
      [&](std::int64_t thread, std::int64_t first_row, std::int64_t rows) {
        auto* const kept = reinterpret_cast<std::byte*>(parts.kept + thread * parts.distance);
        for (std::int64_t row = 0; row < rows; ++row) {
          pack_patches(source, first_row + row, kept + row * streamed_.line_bytes());
        }
        return kept;
      },
      [&](const StreamedProduct::Block& block) { pack_block(weights, block); },
      [&](std::int64_t row, std::int64_t column, const float* sums) {
        const std::int64_t pixel = row * kTileRows;
        loops_->finish({.sums = sums,
                        .places = patches_.own_places(pixel),
                        .pixels = static_cast<int>(std::min<std::int64_t>(kTileRows, patches_.pixels() - pixel)),
                        .bias = shifts == nullptr ? nullptr : shifts + column * kTileRows,
                        .activation = activation_,
                        .plane = result + column * patches_.result().plane_elements()});
      });
}

// The steps are ordered by taps, then planes of 32 channels.
void AmxPatchConvolution::pack_patches(const BFloat16* source, std::int64_t row_tile, std::byte* to) const {
  const BlockedImages& images = patches_.source();
  for (int tap = 0; tap < patches_.taps(); ++tap) {
    const std::int32_t* places = patches_.places(tap, row_tile * kTileRows);
    for (std::int64_t plane = 0; plane < planes(); ++plane, to += simd::kTileBytes) {
      const BFloat16* first = source + 2 * plane * images.plane_elements();
      const bool has_second = 2 * plane + 1 < images.blocks;
      loops_->gather_places32(first, has_second ? first + images.plane_elements() : nullptr, places,
                              reinterpret_cast<BFloat16*>(to));
    }
  }
}

void AmxPatchConvolution::pack_block(const BFloat16* weights, const StreamedProduct::Block& block) const {
  for (std::int64_t tile = 0; tile < block.tiles; ++tile) {
    for (std::int64_t step = 0; step < block.steps; ++step) {
      pack_weights(weights, block.first_tile + tile, block.first_step + step,
                   reinterpret_cast<BFloat16*>(block.to + tile * block.tile_bytes + step * simd::kTileBytes));
    }
  }
}

// In memory weights are squares of 16 x 16, ordered by output channels, then input channels of the layer, then taps.
void AmxPatchConvolution::pack_weights(const BFloat16* weights, std::int64_t column, std::int64_t step,
                                       BFloat16* to) const {
  constexpr std::int64_t kSquare = kTileRows * kTileRows;
  const std::int64_t tap = step / planes();
  const std::int64_t block = step % planes() * 2;
  const std::int64_t blocks = patches_.source().blocks;
  const auto square = [&](std::int64_t source_block) -> const BFloat16* {
    if (source_block == blocks) return nullptr;
    const std::int64_t index =
        transposed_ ? source_block * patches_.result().blocks + column : column * blocks + source_block;
    return weights + (index * patches_.taps() + tap) * kSquare;
  };
  if (transposed_) {
    loops_->turn_weights(square(block), square(block + 1), to);
    return;
  }
  loops_->pair_weights(square(block), to);
  const BFloat16* second = square(block + 1);
  if (second != nullptr) {
    loops_->pair_weights(second, to + kSquare);
  } else {
    std::fill_n(to + kSquare, kSquare, BFloat16{});
  }
}

}  // namespace convoy::kernels
