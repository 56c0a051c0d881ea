// Batch normalisation in the blocked layout, fused with what usually follows it: a shortcut added to the result and
// an activation. The gradient may arrive in two parts, as it does where a residual block's output is read twice.
#pragma once

#include "convoy/kernels/activation.h"
#include "convoy/kernels/kernel.h"

namespace convoy::kernels {

struct BatchNormProblem {
  std::int64_t batch = 1, channels = 1, h = 1, w = 1;
  float epsilon = 1e-5F;
  float momentum = 0.1F;  // the weight of the newest batch in the running statistics
  Activation activation = Activation::none;
  bool shortcut = false;
  DataType type = DataType::fp32;  // of images and their gradients; values by channel are floats

  [[nodiscard]] Layout layout() const { return Layout::blocked({batch, channels, h, w}, type); }
  [[nodiscard]] Layout::Dims dims() const { return {batch, channels, h, w}; }
};

// Per-channel arrays (scale, shift, running statistics, their gradients) hold whole channel blocks, zero-padded.
[[nodiscard]] std::size_t channel_array_bytes(std::int64_t channels);

// destination = act(scale * (source - mean) / deviation + shift + source2). Updates the running statistics; keeps
// mean and 1 / deviation in the workspace.
[[nodiscard]] PreparedPtr prepare_batch_norm(const BatchNormProblem& problem);

// The same with the running statistics, which stay as they are.
[[nodiscard]] PreparedPtr prepare_batch_norm_inference(const BatchNormProblem& problem);

struct BatchNormGradientOptions {
  bool two_gradients = false;  // diff_destination2 is added to diff_destination
  // diff_source2 gets the masked sum of the gradients: the gradient of the shortcut.
  bool write_shortcut_gradient = false;
};

// Reads source, weights, bias, workspace, diff_destination and, if there are both a shortcut and an activation,
// destination. diff_source may be the memory of source, diff_source2 that of diff_destination.
[[nodiscard]] PreparedPtr prepare_batch_norm_backward(const BatchNormProblem& problem,
                                                      const BatchNormGradientOptions& options);

// The gradient of prepare_batch_norm_inference: the statistics are constants, so the layer is an affine map, and scale
// and shift get no gradients. Reads weights, running_variance, diff_destination and, where there is an activation,
// destination. Either diff_source or diff_source2 may be the memory of diff_destination.
[[nodiscard]] PreparedPtr prepare_batch_norm_inference_backward(const BatchNormProblem& problem,
                                                                const BatchNormGradientOptions& options);

}  // namespace convoy::kernels
