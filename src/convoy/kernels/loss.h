// Losses over rows of logits with one class label per sample.
#pragma once

#include "convoy/kernels/kernel.h"

namespace convoy::kernels {

struct LossProblem {
  enum class Kind : std::uint8_t { softmax_cross_entropy, mean_squared_error };
  Kind kind = Kind::softmax_cross_entropy;
  std::int64_t batch = 1;
  std::int64_t classes = 1;
  float label_smoothing = 0.0F;
  bool float_targets = false;  // for a mean squared error: targets are rows of floats instead of classes
};

// The second class of a sample that is mixed from two, and its share of the target. Zeros: the sample has only its own
// class.
struct OtherLabel {
  std::int32_t label = 0;
  float share = 0;
};

// source: logits, labels, other_labels (or, with float targets, source2: the targets) -> destination: one loss per
// sample. Leaves the gradient of each sample's loss with respect to its logits in the workspace.
[[nodiscard]] PreparedPtr prepare_loss(const LossProblem& problem);

// workspace -> diff_source: the gradients, multiplied by StepInfo::gradient_scale.
[[nodiscard]] PreparedPtr prepare_loss_backward(const LossProblem& problem);

}  // namespace convoy::kernels
