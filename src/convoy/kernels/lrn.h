// Local response normalisation across channels, in the blocked layout.
#pragma once

#include "convoy/kernels/device.h"
#include "convoy/kernels/kernel.h"

namespace convoy::kernels {

// y = x / (k + alpha / size * sum of x^2 over `size` channels)^beta
struct LrnProblem {
  std::int64_t batch = 1, channels = 1, h = 1, w = 1;
  int size = 5;
  float alpha = 1e-4F, beta = 0.75F, k = 1.0F;
  DataType type = DataType::fp32;

  [[nodiscard]] Layout::Dims dims() const { return {batch, channels, h, w}; }
};

[[nodiscard]] PreparedPtr prepare_lrn(const Device& device, const LrnProblem& problem, bool training);
[[nodiscard]] PreparedPtr prepare_lrn_backward(const Device& device, const LrnProblem& problem);

}  // namespace convoy::kernels
