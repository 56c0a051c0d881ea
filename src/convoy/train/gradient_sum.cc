#include "convoy/train/gradient_sum.h"

#include <algorithm>

#include "convoy/base/check.h"

namespace convoy {

void copy_gradients(std::span<const float> gradients, std::span<float> sum) {
  CONVOY_CHECK_EQ(gradients.size(), sum.size());
  std::ranges::copy(gradients, sum.begin());
}

void add_gradients(std::span<const float> gradients, std::span<float> sum) {
  CONVOY_CHECK_EQ(gradients.size(), sum.size());
  const auto count = static_cast<std::int64_t>(sum.size());
  const float* const from = gradients.data();
  float* const to = sum.data();
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < count; ++i) to[i] += from[i];
}

}  // namespace convoy
