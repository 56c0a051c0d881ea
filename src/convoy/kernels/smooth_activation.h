// Smooth activations: sigmoid and tanh of every element, softmax of every row. Their gradients are computed from their
// results.
#pragma once

#include "convoy/kernels/kernel.h"

namespace convoy::kernels {

enum class SmoothActivation : std::uint8_t { sigmoid, tanh };

// destination = act(source), for rows or for images in a blocked layout, whose padding stays zero; may run in place.
[[nodiscard]] PreparedPtr prepare_smooth_activation(const Layout& layout, SmoothActivation kind);

// Computes diff_source from the result (destination) and diff_destination; may run in place of the latter.
[[nodiscard]] PreparedPtr prepare_smooth_activation_backward(const Layout& layout, SmoothActivation kind);

// destination = e^source divided by its sum, in each row of a plain layout; may run in place.
[[nodiscard]] PreparedPtr prepare_softmax(const Layout& layout);

// Computes diff_source from the result (destination) and diff_destination; may run in place of the latter.
[[nodiscard]] PreparedPtr prepare_softmax_backward(const Layout& layout);

}  // namespace convoy::kernels
