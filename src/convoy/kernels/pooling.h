// Pooling in the blocked layout. Windows are cut at the borders; padding is never the maximum.
#pragma once

#include "convoy/kernels/activation.h"
#include "convoy/kernels/kernel.h"

namespace convoy::kernels {

enum class Pooling : std::uint8_t { max, average };

struct PoolingProblem {
  Pooling kind = Pooling::max;
  std::int64_t batch = 1, channels = 1, in_h = 1, in_w = 1, out_h = 1, out_w = 1;
  int kernel_h = 1, kernel_w = 1, stride_h = 1, stride_w = 1;
  int pad_top = 0, pad_left = 0, pad_bottom = 0, pad_right = 0;
  bool count_padding = true;  // averages divide by the window's area inside the padded image
  // For maxima: the activation that the source is the result of. The gradient of the source is then zero where the
  // activation stops it, as if it had been passed back through the activation, too.
  Activation activation = Activation::none;
  DataType type = DataType::fp32;

  [[nodiscard]] Layout::Dims source_dims() const { return {batch, channels, in_h, in_w}; }
  [[nodiscard]] Layout::Dims destination_dims() const { return {batch, channels, out_h, out_w}; }
};

// In training, max pooling keeps the places of the maxima in the workspace.
[[nodiscard]] PreparedPtr prepare_pooling(const PoolingProblem& problem, bool training);
[[nodiscard]] PreparedPtr prepare_pooling_backward(const PoolingProblem& problem);

}  // namespace convoy::kernels
