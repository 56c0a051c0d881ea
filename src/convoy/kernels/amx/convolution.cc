#include "convoy/kernels/amx/convolution.h"

#include <algorithm>
#include <cstring>

#include "convoy/kernels/amx/padded_bias.h"
#include "convoy/kernels/parallel.h"

namespace convoy::kernels {
namespace {

// How much of a core's second-level cache a strip may take.
constexpr std::int64_t kStripBytes = std::int64_t{192} << 10;
// If the weights take more than this, they are read once for several strips, which may together take kGroupBytes.
constexpr std::int64_t kStayingWeightBytes = std::int64_t{512} << 10;
constexpr std::int64_t kGroupBytes = std::int64_t{768} << 10;

// How many pixels beyond the last one of a strip may be read, because products use whole registers.
constexpr std::int64_t kSlack = 2 * kTileRows;

}  // namespace

AmxConvolution::AmxConvolution(const simd::AmxLoops& loops, const ConvolutionProblem& p, Pass pass, int threads)
    : loops_(&loops),
      plan_(p, pass),
      batch_(p.batch),
      biases_(pass == Pass::forward && p.bias ? p.out_channels : 0),
      activation_(pass == Pass::forward ? p.activation : Activation::none),
      threads_(threads),
      depth_(plan_.source().blocks == 1 ? 16 : 32),
      planes_((plan_.source().blocks * 16 + depth_ - 1) / depth_) {
  rows_ = best_rows(threads);
  const std::int64_t pixels = std::int64_t{plan_.strip_width()} * (rows_ + plan_.extra_rows() + 1) + kSlack;
  phase_bytes_ = pixels * row_bytes();
  plane_bytes_ = phase_bytes_ * static_cast<std::int64_t>(plan_.source_phases().size());
  strip_bytes_ = plane_bytes_ * planes_;
  if (weights_bytes() > kStayingWeightBytes) {
    group_ = std::clamp<std::int64_t>(kGroupBytes / strip_bytes_, 1, (strip_count() + threads - 1) / threads);
  }
  std::int64_t weights_at = 0;
  for (const ResultPhase& phase : plan_.result_phases()) {
    phases_.push_back(lay_out(phase, weights_at));
    weights_at += static_cast<std::int64_t>(phase.taps.size()) * plan_.result().blocks * planes_ * weight_bytes();
  }
}

// The rows of a strip: as many as stay in the cache, but so few that all threads have work.
int AmxConvolution::best_rows(int threads) const {
  const std::int64_t row = plan_.strip_width() * row_bytes() * planes_ *
                           static_cast<std::int64_t>(std::max<std::size_t>(1, plan_.source_phases().size()));
  const std::int64_t fitting = kStripBytes / row - plan_.extra_rows();
  const std::int64_t shared = plan_.most_rows() * batch_ / (2 * threads);
  return static_cast<int>(std::clamp<std::int64_t>(std::min(fitting, shared), 1, plan_.most_rows()));
}

AmxConvolution::Phase AmxConvolution::lay_out(const ResultPhase& phase, std::int64_t weights_at) const {
  Phase laid{{}, {}, weights_at};
  for (const PhaseTap& tap : phase.taps) {
    laid.shifts.push_back(tap.source_phase * phase_bytes_ + plan_.shift(tap) * row_bytes());
  }
  const ImageStride stride = plan_.result_stride();
  for (int row = 0; row < rows_; ++row) {
    for (int column = 0; column < plan_.strip_width(); ++column) {
      const int place = (row * stride.rows * plan_.result().width + column * stride.columns) * kTileRows;
      laid.places.push_back(column < phase.width ? place : -1);
    }
  }
  return laid;
}

std::size_t AmxConvolution::scratch_bytes() const {
  Scratch scratch;
  (void)lay_out(scratch);
  return scratch.bytes();
}

AmxConvolution::Parts AmxConvolution::lay_out(Scratch& scratch) const {
  const auto floats = [](std::int64_t bytes) { return bytes / static_cast<std::int64_t>(sizeof(float)); };
  Parts parts{};
  parts.bias = scratch.take(biases_ > 0 ? plan_.result().blocks * kTileRows : 0);
  parts.weights = scratch.take(floats(weights_bytes()));
  parts.strips = scratch.take(floats(strip_bytes_ * group_ * threads_));
  return parts;
}

void AmxConvolution::run(const BFloat16* source, const BFloat16* weights, const float* bias, BFloat16* result,
                         float* scratchpad) const {
  Scratch scratch(scratchpad);
  const Parts parts = lay_out(scratch);
  auto* packed = reinterpret_cast<std::byte*>(parts.weights);
  pack_weights(weights, packed);
  const Operands operands{source, padded_bias(bias, biases_, plan_.result().blocks, parts.bias), result, packed};
  Claims claims(strip_count(), threads_, group_);
  parallel_for(threads_, [&](std::int64_t thread) {
    auto* strips = reinterpret_cast<std::byte*>(parts.strips) + thread * strip_bytes_ * group_;
    loops_->begin(depth_);
    claims.work(thread, [&](std::int64_t first, std::int64_t last) { run_strips(operands, first, last, strips); });
    loops_->end();
  });
}

void AmxConvolution::pack_weights(const BFloat16* weights, std::byte* packed) const {
  parallel_for(plan_.result().blocks * planes_, [&](std::int64_t i) {
    const std::int64_t column = i / planes_;
    const std::int64_t plane = i % planes_;
    for (std::size_t phase = 0; phase < phases_.size(); ++phase) {
      const auto& taps = plan_.result_phases()[phase].taps;
      const auto count = static_cast<std::int64_t>(taps.size());
      std::byte* to = packed + phases_[phase].weights_at + i * count * weight_bytes();
      for (const PhaseTap& tap : taps) {
        pack_block(weights, column, plane, tap.weight, reinterpret_cast<BFloat16*>(to));
        to += weight_bytes();
      }
    }
  });
}

// Packs the weights of one tap for 16 channels of the result and one plane of the source's channels. In memory they are
// squares of 16 x 16, ordered by output channels, then input channels of the layer, then taps.
void AmxConvolution::pack_block(const BFloat16* weights, std::int64_t column, std::int64_t plane, int tap,
                                BFloat16* to) const {
  constexpr int kSquare = kTileRows * kTileRows;
  const std::int64_t source_blocks = plan_.source().blocks;
  for (int half = 0; half < depth_ / kTileRows; ++half, to += kSquare) {
    const std::int64_t block = plane * depth_ / kTileRows + half;
    if (block == source_blocks) {
      std::memset(static_cast<void*>(to), 0, kSquare * sizeof(BFloat16));
      continue;
    }
    const std::int64_t square =
        plan_.transposed() ? block * plan_.result().blocks + column : column * source_blocks + block;
    const BFloat16* from = weights + (square * plan_.kernel_taps() + tap) * kSquare;
    plan_.transposed() ? loops_->pair_weights_transposed(from, to) : loops_->pair_weights(from, to);
  }
}

void AmxConvolution::pack_strip(const BFloat16* source, const Strip& strip, std::byte* to) const {
  const BlockedImages& images = plan_.source();
  const std::int64_t stride = std::int64_t{plan_.source_stride().columns} * kTileRows;
  for (std::int64_t plane = 0; plane < planes_; ++plane) {
    for (const ImagePhase& phase : plan_.source_phases()) {
      const BFloat16* first = source + images.offset(strip.sample, plane * depth_ / kTileRows);
      const bool has_second = depth_ == 32 && 2 * plane + 1 < images.blocks;
      plan_.for_rows(strip, phase, [&](int row, int y, int x, int at, int count) {
        std::byte* line = to + std::int64_t{row} * plan_.strip_width() * row_bytes();
        const std::int64_t rest = plan_.strip_width() - at - count;
        auto* pixels = reinterpret_cast<BFloat16*>(line + at * row_bytes());
        std::memset(line, 0, static_cast<std::size_t>(at * row_bytes()));
        std::memset(line + (at + count) * row_bytes(), 0, static_cast<std::size_t>(rest * row_bytes()));
        const BFloat16* from = first + (std::int64_t{y} * images.width + x) * kTileRows;
        if (count == 0) return;
        if (depth_ == 16) {
          loops_->gather16(from, stride, count, pixels);
        } else {
          loops_->gather32(from, has_second ? from + images.plane_elements() : nullptr, stride, count, pixels);
        }
      });
      to += phase_bytes_;
    }
  }
}

void AmxConvolution::run_strips(const Operands& operands, std::int64_t first, std::int64_t last,
                                std::byte* strips) const {
  for (std::int64_t from = first; from < last; from += group_) {
    const std::int64_t count = std::min(group_, last - from);
    for (std::int64_t i = 0; i < count; ++i) {
      pack_strip(operands.source, plan_.strip(from + i, rows_), strips + i * strip_bytes_);
    }
    for (std::int64_t column = 0; column < plan_.result().blocks; column += 2) {
      for (std::int64_t i = 0; i < count; ++i) {
        multiply_strip(operands, plan_.strip(from + i, rows_), strips + i * strip_bytes_, column);
      }
    }
  }
}

void AmxConvolution::multiply_strip(const Operands& operands, const Strip& strip, const std::byte* rows,
                                    std::int64_t column) const {
  for (std::size_t phase = 0; phase < phases_.size(); ++phase) {
    Strip part = strip;
    part.rows = std::min(strip.rows, plan_.result_phases()[phase].height - strip.first_row);
    if (part.rows > 0) multiply_phase(operands, part, rows, column, phase);
  }
}

// Computes the blocks of channels `column` and, if there is one, `column` + 1.
void AmxConvolution::multiply_phase(const Operands& operands, const Strip& strip, const std::byte* rows,
                                    std::int64_t column, std::size_t phase) const {
  alignas(64) float sums[4 * simd::kTileFloats];
  const Phase& laid = phases_[phase];
  const ImagePhase place = plan_.result_phases()[phase].place;
  const BlockedImages& images = plan_.result();
  const auto taps = static_cast<int>(laid.shifts.size());
  const std::int64_t column_bytes = planes_ * taps * weight_bytes();
  const int columns = column + 1 < images.blocks ? 2 : 1;
  const std::int64_t pixels = std::int64_t{strip.rows} * plan_.strip_width();
  const std::int64_t first_row = std::int64_t{strip.first_row} * plan_.result_stride().rows + place.row;
  BFloat16* plane =
      operands.result + images.offset(strip.sample, column) + (first_row * images.width + place.column) * kTileRows;
  for (std::int64_t from = 0; from < pixels; from += 2 * kTileRows) {
    const int row_tiles = pixels - from > kTileRows ? 2 : 1;
    loops_->multiply({.rows = rows + from * row_bytes(),
                      .plane_bytes = plane_bytes_,
                      .shifts = laid.shifts.data(),
                      .planes = static_cast<int>(planes_),
                      .taps = taps,
                      .depth = depth_,
                      .weights = operands.weights + laid.weights_at + column * column_bytes,
                      .column_bytes = column_bytes,
                      .row_tiles = row_tiles,
                      .column_tiles = columns,
                      .sums = sums});
    for (int tile = 0; tile < row_tiles; ++tile) {
      for (int c = 0; c < columns; ++c) {
        const std::int64_t at = from + tile * kTileRows;
        loops_->finish({.sums = sums + (2 * tile + c) * simd::kTileFloats,
                        .places = laid.places.data() + at,
                        .pixels = static_cast<int>(std::min<std::int64_t>(kTileRows, pixels - at)),
                        .bias = operands.bias == nullptr ? nullptr : operands.bias + (column + c) * kTileRows,
                        .activation = activation_,
                        .plane = plane + c * images.plane_elements()});
      }
    }
  }
}

}  // namespace convoy::kernels
