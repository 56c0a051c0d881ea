#include "convoy/comm/stream_copy.h"

#include <algorithm>
#include <cstdint>

#include "convoy/base/check.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace convoy {

#if defined(__SSE2__)
namespace {

constexpr std::size_t kLane = 4;

std::size_t floats_to_alignment(const float* p) {
  const auto past = reinterpret_cast<std::uintptr_t>(p) / sizeof(float) % kLane;
  return past == 0 ? 0 : kLane - past;
}

}  // namespace

void stream_copy(std::span<const float> from, std::span<float> to) {
  CONVOY_CHECK_EQ(from.size(), to.size());
  std::size_t i = std::min(floats_to_alignment(to.data()), from.size());
  std::copy_n(from.data(), i, to.data());
  for (; i + kLane <= from.size(); i += kLane) _mm_stream_ps(to.data() + i, _mm_loadu_ps(from.data() + i));
  std::copy(from.begin() + static_cast<std::ptrdiff_t>(i), from.end(), to.begin() + static_cast<std::ptrdiff_t>(i));
  _mm_sfence();  // non-temporal stores are not ordered by the atomics that follow
}
#else
void stream_copy(std::span<const float> from, std::span<float> to) {
  CONVOY_CHECK_EQ(from.size(), to.size());
  std::ranges::copy(from, to.begin());
}
#endif

}  // namespace convoy
