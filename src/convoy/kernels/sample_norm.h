// Normalisation of each sample by itself: group norm over groups of channels, layer norm over a whole sample. Training
// and prediction compute the same.
#pragma once

#include "convoy/kernels/kernel.h"

namespace convoy::kernels {

struct SampleNormProblem {
  Layout layout;             // of the source: a blocked image, or plain rows
  std::int64_t groups = 1;   // of channels that are normalised together
  bool per_element = false;  // scale and shift are per element, CxHxW, instead of per channel
  float epsilon = 1e-5F;

  [[nodiscard]] std::int64_t batch() const { return layout.dims()[0]; }
  [[nodiscard]] std::int64_t channels() const { return layout.dims()[1]; }
  [[nodiscard]] std::int64_t pixels() const;
  // How many numbers scale and shift each have.
  [[nodiscard]] std::int64_t factors() const { return per_element ? channels() * pixels() : channels(); }
};

// source, weights (scale), bias (shift) -> destination, and the workspace: mean and deviation of each group.
[[nodiscard]] PreparedPtr prepare_sample_norm(const SampleNormProblem& problem);

// source, weights, workspace, diff_destination -> diff_source, diff_weights, diff_bias.
[[nodiscard]] PreparedPtr prepare_sample_norm_backward(const SampleNormProblem& problem);

}  // namespace convoy::kernels
