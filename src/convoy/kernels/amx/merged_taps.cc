#include "convoy/kernels/amx/merged_taps.h"

#include <algorithm>
#include <cstring>

#include "convoy/kernels/parallel.h"

namespace convoy::kernels {
namespace {

constexpr std::int64_t kLanes = 16;

ConvolutionProblem merged_problem(ConvolutionProblem p) {
  p.in_channels *= p.kernel_w;
  p.in_w = p.out_w;
  p.kernel_w = 1;
  p.stride_w = 1;
  p.pad_left = p.pad_right = 0;
  return p;
}

}  // namespace

MergedTaps::MergedTaps(const ConvolutionProblem& problem)
    : problem_(problem), merged_(merged_problem(problem)), blocks_((merged_.in_channels + kLanes - 1) / kLanes) {}

std::int64_t MergedTaps::source_elements() const {
  return merged_.batch * blocks_ * merged_.in_h * merged_.in_w * kLanes;
}

std::int64_t MergedTaps::weight_elements() const {
  return (merged_.out_channels + kLanes - 1) / kLanes * blocks_ * merged_.kernel_h * kLanes * kLanes;
}

bool MergedTaps::applies(const ConvolutionProblem& p) {
  constexpr std::int64_t kMostChannels = 4;
  constexpr std::int64_t kMostMerged = 64;
  return p.in_channels <= kMostChannels && p.in_channels * p.kernel_w <= kMostMerged && p.kernel_w > 1 &&
         p.dilation_w == 1 && p.groups == 1;
}

void MergedTaps::merge_source(const BFloat16* source, BFloat16* merged) const {
  parallel_for(problem_.batch * problem_.in_h,
               [&](std::int64_t i) { merge_row(source, i / problem_.in_h, i % problem_.in_h, merged); });
}

void MergedTaps::merge_row(const BFloat16* source, std::int64_t sample, std::int64_t row, BFloat16* merged) const {
  const ConvolutionProblem& p = problem_;
  const std::int64_t line = p.out_w * kLanes;
  const auto place = [&](std::int64_t block) { return merged + ((sample * blocks_ + block) * p.in_h + row) * line; };
  for (std::int64_t block = 0; block < blocks_; ++block) {
    std::memset(static_cast<void*>(place(block)), 0, static_cast<std::size_t>(line) * sizeof(BFloat16));
  }
  for (std::int64_t channel = 0; channel < merged_.in_channels; ++channel) {
    const std::int64_t left = channel % p.kernel_w - p.pad_left;  // what the first column of the result reads
    const std::int64_t first = left >= 0 ? 0 : (-left + p.stride_w - 1) / p.stride_w;
    const std::int64_t last = std::min(p.out_w, (p.in_w - left + p.stride_w - 1) / p.stride_w);
    const BFloat16* from = source + ((sample * p.in_channels + channel / p.kernel_w) * p.in_h + row) * p.in_w + left;
    BFloat16* to = place(channel / kLanes) + channel % kLanes;
    for (std::int64_t column = first; column < last; ++column) to[column * kLanes] = from[column * p.stride_w];
  }
}

template <typename Body>
void MergedTaps::for_weights(const Body& body) const {
  const ConvolutionProblem& p = problem_;
  for (std::int64_t out = 0; out < p.out_channels; ++out) {
    for (std::int64_t in = 0; in < merged_.in_channels; ++in) {
      for (std::int64_t r = 0; r < p.kernel_h; ++r) {
        const std::int64_t plain =
            ((out * p.in_channels + in / p.kernel_w) * p.kernel_h + r) * p.kernel_w + in % p.kernel_w;
        const std::int64_t square = (out / kLanes * blocks_ + in / kLanes) * p.kernel_h + r;
        body(plain, (square * kLanes + in % kLanes) * kLanes + out % kLanes);
      }
    }
  }
}

void MergedTaps::merge_weights(const BFloat16* weights, BFloat16* merged) const {
  std::memset(static_cast<void*>(merged), 0, static_cast<std::size_t>(weight_elements()) * sizeof(BFloat16));
  for_weights([&](std::int64_t plain, std::int64_t place) { merged[place] = weights[plain]; });
}

void MergedTaps::split_gradient(const float* merged, float* gradient) const {
  for_weights([&](std::int64_t plain, std::int64_t place) { gradient[plain] = merged[place]; });
}

namespace {

// The merged operands come before the memory that the convolution itself needs.
struct MergedParts {
  float *source, *weights, *inner;

  MergedParts(const MergedTaps& taps, std::int64_t weight_bytes, std::size_t inner_bytes, Scratch& scratch) {
    constexpr std::int64_t kPerFloat = sizeof(float) / sizeof(BFloat16);
    source = scratch.take(taps.source_elements() / kPerFloat);
    weights = scratch.take(taps.weight_elements() * weight_bytes / static_cast<std::int64_t>(sizeof(float)));
    inner = scratch.take(static_cast<std::int64_t>(inner_bytes / sizeof(float)));
  }
};

}  // namespace

std::size_t MergedConvolution::scratch_bytes() const {
  Scratch scratch;
  const MergedParts parts(taps_, sizeof(BFloat16), inner_.scratch_bytes(), scratch);
  return scratch.bytes();
}

void MergedConvolution::run(const BFloat16* source, const BFloat16* weights, const float* bias, BFloat16* result,
                            float* scratchpad) const {
  Scratch scratch(scratchpad);
  const MergedParts parts(taps_, sizeof(BFloat16), inner_.scratch_bytes(), scratch);
  auto* merged_source = reinterpret_cast<BFloat16*>(parts.source);
  auto* merged_weights = reinterpret_cast<BFloat16*>(parts.weights);
  taps_.merge_source(source, merged_source);
  taps_.merge_weights(weights, merged_weights);
  inner_.run(merged_source, merged_weights, bias, result, parts.inner);
}

std::size_t MergedGradient::scratch_bytes() const {
  Scratch scratch;
  const MergedParts parts(taps_, sizeof(float), inner_.scratch_bytes(), scratch);
  return scratch.bytes();
}

void MergedGradient::run(const BFloat16* source, const BFloat16* gradient, float* diff_weights, float* diff_bias,
                         float* scratchpad) const {
  Scratch scratch(scratchpad);
  const MergedParts parts(taps_, sizeof(float), inner_.scratch_bytes(), scratch);
  auto* merged_source = reinterpret_cast<BFloat16*>(parts.source);
  taps_.merge_source(source, merged_source);
  inner_.run(merged_source, gradient, parts.weights, diff_bias, parts.inner);
  taps_.split_gradient(parts.weights, diff_weights);
}

}  // namespace convoy::kernels
