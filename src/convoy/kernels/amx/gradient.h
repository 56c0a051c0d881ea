// The gradient of a convolution's weights on matrix registers: for each tap, the product of the result's gradient with
// the source as that tap reads it, summed over the pixels of all strips.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "convoy/kernels/amx/tap_plan.h"
#include "convoy/kernels/scratch.h"
#include "convoy/kernels/simd/amx.h"

namespace convoy::kernels {

class AmxGradient {
 public:
  AmxGradient(const simd::AmxLoops& loops, const ConvolutionProblem& problem, int threads);

  [[nodiscard]] std::size_t scratch_bytes() const;
  void run(const BFloat16* source, const BFloat16* gradient, float* diff_weights, float* diff_bias,
           float* scratchpad) const;

 private:
  // The memory of one thread. If threads share strips, only bias_sums and `rows` are its own.
  struct Parts {
    float* sums;  // one tile for each block of the result's channels, block of the source's channels, and tap
    float* bias_sums;
    float* gradients;  // strips of the result's gradient, transposed; ordered by blocks of channels, then strips
    float* sources;    // strips of the source in pairs, ordered by blocks of channels, strips, phases, and whether the
                       // pairs begin at even or at odd pixels
    float* rows;       // one plane of a strip, before it is paired
  };

  // The size of each part for one thread, in floats.
  struct Sizes {
    std::int64_t sums, bias_sums, gradients, sources, rows;
  };
  [[nodiscard]] Sizes sizes() const;
  [[nodiscard]] Parts lay_out(Scratch& scratch) const;
  [[nodiscard]] Parts part_of(const Parts& first, std::int64_t thread) const;
  [[nodiscard]] std::int64_t tiles() const { return plan_.result().blocks * items(); }
  [[nodiscard]] std::int64_t block_pairs() const { return (plan_.result().blocks + 1) / 2; }
  [[nodiscard]] std::int64_t items() const { return plan_.source().blocks * plan_.kernel_taps(); }
  [[nodiscard]] std::int64_t strip_count() const { return batch_ * plan_.strips_of(rows_); }
  [[nodiscard]] std::int64_t gradient_strip_bytes() const { return std::int64_t{steps_} * simd::kTileBytes; }
  [[nodiscard]] std::int64_t source_strip_bytes() const {
    return static_cast<std::int64_t>(plan_.source_phases().size()) * 2 * pairs_ * simd::kPairBytes;
  }
  void choose_strips(int threads);
  void fit_strips();
  [[nodiscard]] int shares() const { return shared_ ? 1 : threads_; }
  void add_share(const BFloat16* source, const BFloat16* gradient, std::int64_t first, std::int64_t last,
                 const Parts& parts) const;
  void add_together(const BFloat16* source, const BFloat16* gradient, const Parts& first) const;
  void pack_gradient(const BFloat16* gradient, const Strip& strip, std::int64_t place, const Parts& parts) const;
  void pack_source(const BFloat16* source, const Strip& strip, std::int64_t place, const Parts& parts) const;
  void correlate(std::int64_t first_pair, std::int64_t last_pair, std::int64_t strips, bool accumulate,
                 const Parts& parts) const;
  [[nodiscard]] std::int64_t source_at(std::int64_t item) const;

  const simd::AmxLoops* loops_;
  TapPlan plan_;
  std::int64_t batch_;
  std::int64_t biases_;
  int threads_;
  // With few weights, each thread has its own sums, over its own images. With many, the threads divide the weights
  // among them and use each other's strips.
  bool shared_ = false;
  int rows_ = 1;            // of a strip
  int steps_ = 1;           // how many steps of 32 pixels a strip of the gradient has
  std::int64_t pairs_ = 1;  // how many pairs of pixels a strip of the source has
  std::int64_t group_ = 1;  // how many strips are multiplied before the sums are written
  // For each phase of the source, whether pairs that begin at even and at odd pixels are needed.
  std::vector<std::array<bool, 2>> wanted_;
};

}  // namespace convoy::kernels
