#include "convoy/kernels/paired_dense.h"

#include <algorithm>
#include <utility>

#include "convoy/kernels/device.h"
#include "convoy/kernels/loop_operator.h"
#include "convoy/kernels/own_dense.h"
#include "convoy/kernels/parallel.h"
#include "convoy/kernels/scratch.h"
#include "convoy/kernels/simd/paired_dense.h"

namespace convoy::kernels {
namespace {

using simd::BFloat16Pair;

// A product of samples and weights. Both passes sum up over blocks of 16 numbers: those of a sample's row forward, a
// result's outputs backward. The sums of a block of results for all samples are a column. Threads claim groups of
// columns; of a group's weights, as many as fit the second-level cache are brought to cells at a time.
class PairedDense {
 public:
  PairedDense(const DenseProblem& problem, const DenseLayouts& layouts, Pass pass, int threads)
      : loops_(simd::paired_dense_loops()),
        forward_(pass == Pass::forward),
        threads_(threads),
        samples_(problem.batch),
        in_(layouts.in),
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

  [[nodiscard]] std::size_t scratch_bytes() const {
    Scratch scratch(nullptr, threads_);
    (void)lay_out(scratch);
    return scratch.bytes();
  }

  // `rows` are the samples' numbers that are summed up. bias may be null.
  template <typename Result>
  void run(const BFloat16* rows, const BFloat16* weights, const float* bias, Result* result, float* scratchpad) const {
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

 private:
  static constexpr std::int64_t kBlock = 16;
  static constexpr std::int64_t kCells = kBlock / simd::kNumbersIn<BFloat16Pair>;

  // Parts of the scratchpad.
  struct Parts {
    BFloat16Pair* weights;  // each thread's own: of a piece of a group, [column][block][cell][lane]
    float* sums;            // each thread's own: [column][sample][lane]
    BFloat16Pair* samples;  // [block][sample][cell]
    std::int64_t distance;  // from a thread's own parts to those of the next
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

  [[nodiscard]] Parts lay_out(Scratch& scratch) const {
    static_assert(sizeof(BFloat16Pair) == sizeof(float));
    const auto cells = [](float* part) { return reinterpret_cast<BFloat16Pair*>(part); };
    Parts parts{};
    parts.weights = cells(scratch.take_own(group_ * column_step()));
    parts.sums = scratch.take_own(group_ * samples_ * kBlock);
    parts.samples = cells(scratch.take(depth() * sample_step()));
    parts.distance = scratch.distance();
    return parts;
  }

  // One block of all samples.
  void to_cells(const BFloat16* rows, std::int64_t block, BFloat16Pair* samples) const {
    const std::int64_t first = block * kBlock;
    const std::int64_t count = std::min(kBlock, summands() - first);
    auto* to = reinterpret_cast<BFloat16*>(samples + block * sample_step());
    for (std::int64_t s = 0; s < samples_; ++s, to += kBlock) {
      std::copy_n(rows + s * summands() + first, count, to);
      std::fill(to + count, to + kBlock, BFloat16{});
    }
  }

  // Sums up some columns.
  void multiply(const BFloat16Pair* samples, const BFloat16* weights, std::int64_t first, std::int64_t columns,
                BFloat16Pair* cells, float* sums) const {
    for (std::int64_t k = 0; k < depth(); k += piece_) {
      const std::int64_t blocks = std::min(piece_, depth() - k);
      forward_ ? turn(weights, first, columns, k, blocks, cells)
               : interleave(weights, first, columns, k, blocks, cells);
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
  void turn(const BFloat16* weights, std::int64_t first, std::int64_t columns, std::int64_t block, std::int64_t blocks,
            BFloat16Pair* cells) const {
    for (std::int64_t c = 0; c < columns; ++c, cells += column_step()) {
      const std::int64_t row = (first + c) * kBlock;
      loops_->turn(weights + row * in_ + block * kBlock, in_, static_cast<int>(std::min(kBlock, out_ - row)), blocks,
                   cells);
    }
  }

  // Columns are columns of the weights.
  void interleave(const BFloat16* weights, std::int64_t first, std::int64_t columns, std::int64_t block,
                  std::int64_t blocks, BFloat16Pair* cells) const {
    for (std::int64_t b = 0; b < blocks; ++b, cells += kCells * kBlock) {
      const std::int64_t row = (block + b) * kBlock;
      loops_->interleave(weights + row * in_ + first * kBlock, in_, static_cast<int>(std::min(kBlock, out_ - row)),
                         columns, cells, column_step());
    }
  }

  template <typename Result>
  void finish(const float* sums, const float* bias, std::int64_t first, Result* result) const {
    const auto loop = [&] {
      if constexpr (std::is_same_v<Result, float>) {
        return loops_->finish_floats;
      } else {
        return loops_->finish;
      }
    }();
    loop(sums, samples_, static_cast<int>(std::min(kBlock, results() - first)), bias == nullptr ? bias : bias + first,
         forward_ ? activation_ : Activation::none, result + first, results());
  }

  const simd::PairedDenseLoops* loops_;
  bool forward_;
  int threads_;
  std::int64_t samples_, in_, out_;
  Activation activation_;
  std::int64_t group_, groups_;  // columns in a group, and groups
  std::int64_t piece_;           // blocks that are summed up at a time
};

PreparedPtr prepared(const PairedDense& dense, std::vector<std::pair<Role, Layout>> operands, LoopOperator::Run run) {
  return std::make_shared<LoopOperator>(
      "convoy:paired_dense", std::move(operands),
      std::vector<std::pair<Role, std::size_t>>{{Role::scratchpad, dense.scratch_bytes()}}, std::move(run));
}

template <typename Result>
PreparedPtr forward_operator(const PairedDense& dense, const DenseProblem& p, const DenseLayouts& layouts) {
  return prepared(dense,
                  {{Role::source, layouts.source},
                   {Role::weights, layouts.weights},
                   {Role::bias, layouts.bias},
                   {Role::destination, layouts.destination}},
                  [dense, bias = p.bias](const Bindings& memory) {
                    dense.run(memory.as<const BFloat16>(Role::source), memory.as<const BFloat16>(Role::weights),
                              bias ? memory.as<const float>(Role::bias) : nullptr, memory.as<Result>(Role::destination),
                              memory.as<float>(Role::scratchpad));
                  });
}

PreparedPtr backward_data_operator(const PairedDense& dense, const DenseLayouts& layouts) {
  return prepared(dense,
                  {{Role::diff_destination, layouts.gradient},
                   {Role::weights, layouts.weights},
                   {Role::diff_source, layouts.source}},
                  [dense](const Bindings& memory) {
                    dense.run(memory.as<const BFloat16>(Role::diff_destination),
                              memory.as<const BFloat16>(Role::weights), nullptr, memory.as<BFloat16>(Role::diff_source),
                              memory.as<float>(Role::scratchpad));
                  });
}

}  // namespace

std::vector<PreparedPtr> paired_dense_candidates(const Device& device, const DenseProblem& problem, Pass pass) {
  const DenseLayouts layouts(problem);
  const bool has_loops = simd::paired_dense_loops() != nullptr && !has_matrix_registers();
  const bool is_whole = layouts.in % 32 == 0;
  if (problem.type != DataType::bf16 || !has_loops || !is_whole || pass == Pass::backward_weights) return {};
  const PairedDense dense(problem, layouts, pass, device.threads());
  if (pass == Pass::backward_data) return {backward_data_operator(dense, layouts)};
  return {with_element(problem.destination_type,
                       [&]<typename Result>() { return forward_operator<Result>(dense, problem, layouts); })};
}

}  // namespace convoy::kernels
