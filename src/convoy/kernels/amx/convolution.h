// Forward passes, and passes for the gradient of the source, on matrix registers: strips of images are copied to rows
// of channels, and every tap of the kernel multiplies these rows with its weights.
#pragma once

#include <cstddef>
#include <vector>

#include "convoy/kernels/amx/tap_plan.h"
#include "convoy/kernels/scratch.h"
#include "convoy/kernels/simd/amx.h"

namespace convoy::kernels {

class AmxConvolution {
 public:
  AmxConvolution(const simd::AmxLoops& loops, const ConvolutionProblem& problem, Pass pass, int threads);

  [[nodiscard]] std::size_t scratch_bytes() const;
  // `bias` may be null.
  void run(const BFloat16* source, const BFloat16* weights, const float* bias, BFloat16* result,
           float* scratchpad) const;

 private:
  // What the taps of one phase of the result read, and where its pixels are written.
  struct Phase {
    std::vector<std::int64_t> shifts;  // in bytes
    std::vector<std::int32_t> places;  // where each pixel of a strip goes, in elements from its first row on
    std::int64_t weights_at;           // where its weights begin, in bytes
  };
  struct Operands {
    const BFloat16* source;
    const float* bias;
    BFloat16* result;
    const std::byte* weights;
  };
  struct Parts {
    float* bias;
    float* weights;
    float* strips;  // those of the first thread
  };

  [[nodiscard]] Parts lay_out(Scratch& scratch) const;
  [[nodiscard]] std::int64_t weight_bytes() const { return std::int64_t{depth_} / 2 * simd::kPairBytes; }
  [[nodiscard]] std::int64_t weights_bytes() const {
    return plan_.result().blocks * planes_ * plan_.kernel_taps() * weight_bytes();
  }
  [[nodiscard]] std::int64_t row_bytes() const { return std::int64_t{2} * depth_; }
  [[nodiscard]] std::int64_t strip_count() const { return batch_ * plan_.strips_of(rows_); }
  [[nodiscard]] int best_rows(int threads) const;
  [[nodiscard]] Phase lay_out(const ResultPhase& phase, std::int64_t weights_at) const;
  void pack_weights(const BFloat16* weights, std::byte* packed) const;
  void pack_block(const BFloat16* weights, std::int64_t column, std::int64_t plane, int tap, BFloat16* to) const;
  void pack_strip(const BFloat16* source, const Strip& strip, std::byte* to) const;
  void run_strips(const Operands& operands, std::int64_t first, std::int64_t last, std::byte* strips) const;
  void multiply_strip(const Operands& operands, const Strip& strip, const std::byte* rows, std::int64_t column) const;
  void multiply_phase(const Operands& operands, const Strip& strip, const std::byte* rows, std::int64_t column,
                      std::size_t phase) const;

  const simd::AmxLoops* loops_;
  TapPlan plan_;
  std::int64_t batch_;
  std::int64_t biases_;
  Activation activation_;
  int threads_;
  int depth_;
  std::int64_t planes_;  // each has `depth_` channels
  int rows_ = 1;         // of a strip
  std::int64_t phase_bytes_ = 0, plane_bytes_ = 0, strip_bytes_ = 0;
  std::int64_t group_ = 1;  // how many strips are multiplied with the same weights, one after the other
  std::vector<Phase> phases_;
};

}  // namespace convoy::kernels
