#include "convoy/kernels/pairs/dense.h"

#include <type_traits>

#include "convoy/kernels/parallel.h"

namespace convoy::kernels {

using simd::BFloat16Pair;

PairedDense::PairedDense(const DenseProblem& problem, std::int64_t in, Pass pass, int threads)
    : forward_(pass == Pass::forward),
      threads_(threads),
      samples_(problem.batch),
      in_(in),
      out_(problem.out),
      activation_(problem.activation) {
  constexpr std::int64_t kPieceBytes = std::int64_t{128} << 10;
  constexpr std::int64_t kGroupsPerThread = 4;
  const std::int64_t columns = blocks_of(results());
  group_ = std::clamp<std::int64_t>(columns / (threads * kGroupsPerThread) / 2 * 2, 2, simd::kMostPairedColumns);
  groups_ = (columns + group_ - 1) / group_;
  const std::int64_t deepest = kPieceBytes / (samples_ * kBlock * static_cast<std::int64_t>(sizeof(BFloat16)));
  piece_ = std::clamp<std::int64_t>(deepest / 8 * 8, 8, 32);
}

std::size_t PairedDense::scratch_bytes() const {
  Scratch scratch(nullptr, threads_);
  (void)lay_out(scratch);
  return scratch.bytes();
}

PairedDense::Parts PairedDense::lay_out(Scratch& scratch) const {
  static_assert(sizeof(BFloat16Pair) == sizeof(float));
  const auto cells = [](float* part) { return reinterpret_cast<BFloat16Pair*>(part); };
  Parts parts{};
  parts.weights = cells(scratch.take_own(group_ * column_step()));
  parts.sums = scratch.take_own(group_ * samples_ * kBlock);
  parts.distance = scratch.distance();
  parts.samples = cells(scratch.take(depth() * sample_step()));
  return parts;
}

template <typename Result>
void PairedDense::run(const BFloat16* rows, const BFloat16* weights, const float* bias, Result* result,
                      float* scratchpad) const {
  Scratch scratch(scratchpad, threads_);
  const Parts parts = lay_out(scratch);
  parallel_for(depth(), [&](std::int64_t block) { to_cells(rows, block, parts.samples); });
  Claims claims(groups_, threads_);
  parallel_for(threads_, [&](std::int64_t thread) {
    BFloat16Pair* const cells = parts.weights + thread * parts.distance;
    float* const sums = parts.sums + thread * parts.distance;
    claims.work(thread, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t group = begin; group < end; ++group) {
        const std::int64_t first = group * group_;
        const std::int64_t columns = std::min(group_, blocks_of(results()) - first);
        multiply(parts.samples, weights, first, columns, cells, sums);
        for (std::int64_t c = 0; c < columns; ++c) {
          finish(sums + c * samples_ * kBlock, bias, (first + c) * kBlock, result);
        }
      }
    });
  });
}

// One block of all samples.
void PairedDense::to_cells(const BFloat16* rows, std::int64_t block, BFloat16Pair* samples) const {
  const std::int64_t first = block * kBlock;
  const std::int64_t count = std::min(kBlock, summands() - first);
  auto* to = reinterpret_cast<BFloat16*>(samples + block * sample_step());
  for (std::int64_t s = 0; s < samples_; ++s, to += kBlock) {
    std::copy_n(rows + s * summands() + first, count, to);
    std::fill(to + count, to + kBlock, BFloat16{});
  }
}

// Sums up some columns.
void PairedDense::multiply(const BFloat16Pair* samples, const BFloat16* weights, std::int64_t first,
                           std::int64_t columns, BFloat16Pair* cells, float* sums) const {
  for (std::int64_t k = 0; k < depth(); k += piece_) {
    const std::int64_t blocks = std::min(piece_, depth() - k);
    forward_ ? turn(weights, first, columns, k, blocks, cells) : interleave(weights, first, columns, k, blocks, cells);
    simd::products_of<BFloat16Pair>().multiply({.v = samples + k * sample_step(),
                                                .u = cells,
                                                .m = sums,
                                                .v_block = sample_step(),
                                                .u_block = kCells * kBlock,
                                                .u_column = column_step(),
                                                .m_column = samples_ * kBlock,
                                                .rows = static_cast<int>(samples_),
                                                .blocks = static_cast<int>(blocks),
                                                .columns = static_cast<int>(columns),
                                                .accumulate = k > 0});
  }
}

// Columns are rows of the weights.
void PairedDense::turn(const BFloat16* weights, std::int64_t first, std::int64_t columns, std::int64_t block,
                       std::int64_t blocks, BFloat16Pair* cells) const {
  for (std::int64_t c = 0; c < columns; ++c, cells += column_step()) {
    const std::int64_t row = (first + c) * kBlock;
    simd::pair_packing()->turn(weights + row * in_ + block * kBlock, in_,
                               static_cast<int>(std::min(kBlock, out_ - row)), blocks, cells);
  }
}

// Columns are columns of the weights.
void PairedDense::interleave(const BFloat16* weights, std::int64_t first, std::int64_t columns, std::int64_t block,
                             std::int64_t blocks, BFloat16Pair* cells) const {
  for (std::int64_t b = 0; b < blocks; ++b, cells += kCells * kBlock) {
    const std::int64_t row = (block + b) * kBlock;
    simd::pair_packing()->interleave(weights + row * in_ + first * kBlock, in_,
                                     static_cast<int>(std::min(kBlock, out_ - row)), columns, cells, column_step());
  }
}

template <typename Result>
void PairedDense::finish(const float* sums, const float* bias, std::int64_t first, Result* result) const {
  const auto loop = [&] {
    if constexpr (std::is_same_v<Result, float>) {
      return simd::pair_packing()->finish_floats;
    } else {
      return simd::pair_packing()->finish;
    }
  }();
  loop(sums, samples_, static_cast<int>(std::min(kBlock, results() - first)), bias == nullptr ? bias : bias + first,
       forward_ ? activation_ : Activation::none, result + first, results());
}

template void PairedDense::run(const BFloat16* rows, const BFloat16* weights, const float* bias, float* result,
                               float* scratchpad) const;
template void PairedDense::run(const BFloat16* rows, const BFloat16* weights, const float* bias, BFloat16* result,
                               float* scratchpad) const;

}  // namespace convoy::kernels
