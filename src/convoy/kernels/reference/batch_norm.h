// Naive twins of batch normalisation with shortcut and activation, for tests.
#pragma once

#include "convoy/kernels/batch_norm.h"
#include "convoy/kernels/reference/image.h"

namespace convoy::kernels::reference {

// The learned parameters, one value per channel.
struct BatchNormParameters {
  Values scale;
  Values shift;
};

// One value per channel. The variance divides by the number of elements.
struct ChannelStatistics {
  Values mean;
  Values variance;
};

[[nodiscard]] ChannelStatistics statistics_of(const BatchNormProblem& problem, const Values& x);

// `shortcut` is not read if the problem has none. With statistics_of(x) this is training, with running statistics
// inference.
[[nodiscard]] Values batch_norm(const BatchNormProblem& problem, const Values& x, const Values& shortcut,
                                const BatchNormParameters& parameters, const ChannelStatistics& statistics);

// The running statistics after a batch with these statistics. They use the unbiased variance, which divides by one
// less.
[[nodiscard]] ChannelStatistics updated(const BatchNormProblem& problem, ChannelStatistics running,
                                        const ChannelStatistics& statistics);

struct BatchNormGradients {
  Values source;
  Values shortcut;
  Values scale;
  Values shift;
};

// Gradients in training, from the source x, the result y and the gradient after the activation.
[[nodiscard]] BatchNormGradients batch_norm_backward(const BatchNormProblem& problem, const Values& x, const Values& y,
                                                     const Values& scale, const Values& dy);

// Gradients in inference with respect to source and shortcut: the statistics are constants.
[[nodiscard]] BatchNormGradients batch_norm_inference_backward(const BatchNormProblem& problem, const Values& y,
                                                               const Values& scale, const Values& running_variance,
                                                               const Values& dy);

}  // namespace convoy::kernels::reference
