#include "convoy/optim/gradient_norm.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "convoy/base/error.h"
#include "convoy/optim/vector_loop.h"

namespace convoy {
namespace {

// Partial sums that the processor can compute in parallel. Their number is fixed so that the order of additions is not
// the compiler's choice.
constexpr std::int64_t kLanes = 32;
// Chunks that threads sum separately: few enough that their sums fit on the stack, and long enough that a thread is
// worth starting.
constexpr std::int64_t kMostPieces = 512;
constexpr std::int64_t kShortestChunk = 16384;

// The square of a float is exact in double precision, and even the sum of 2^500 of them could not overflow.
CONVOY_VECTOR_CLONES double sum_of_squares(const float* x, std::int64_t count) {
  std::array<double, kLanes> sums{};
  const std::int64_t whole = count / kLanes * kLanes;
  for (std::int64_t i = 0; i < whole; i += kLanes) {
    for (std::int64_t lane = 0; lane < kLanes; ++lane) {
      const auto value = static_cast<double>(x[i + lane]);
      sums[static_cast<std::size_t>(lane)] += value * value;
    }
  }
  for (std::int64_t i = whole; i < count; ++i) {
    const auto value = static_cast<double>(x[i]);
    sums[static_cast<std::size_t>(i - whole)] += value * value;
  }
  double total = 0;
  for (const double sum : sums) total += sum;
  return total;
}

std::int64_t piece_length(std::int64_t count) {
  const std::int64_t even = (count + kMostPieces - 1) / kMostPieces;
  return std::max(kShortestChunk, (even + kLanes - 1) / kLanes * kLanes);
}

}  // namespace

double gradient_norm(std::span<const float> gradients) {
  const auto count = static_cast<std::int64_t>(gradients.size());
  const std::int64_t length = piece_length(count);
  std::array<double, kMostPieces> sums{};
  parallel_chunks(count, length, [&](std::int64_t first, std::int64_t last) {
    sums[static_cast<std::size_t>(first / length)] = sum_of_squares(gradients.data() + first, last - first);
  });
  double total = 0;
  for (const double sum : sums) total += sum;
  return std::sqrt(total);
}

float clip_scale(double norm, double limit) {
  if (!std::isfinite(norm)) throw UserError("a gradient whose norm is {} cannot be clipped", norm);
  if (!(limit > 0)) throw UserError("the norm that gradients are clipped to must be above 0, got {}", limit);
  return norm <= limit ? 1.0F : static_cast<float>(limit / norm);
}

}  // namespace convoy
