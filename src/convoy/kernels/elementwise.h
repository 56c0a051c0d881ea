// Operators that treat every element alike. They work on whole buffers in any layout: the zeros that pad channels stay
// zero.
#pragma once

#include "convoy/kernels/activation.h"
#include "convoy/kernels/kernel.h"

namespace convoy::kernels {

// destination = act(source); may run in place.
[[nodiscard]] PreparedPtr prepare_activation(const Layout& layout, Activation activation);

// diff_source = diff_destination where the activation's result (destination) shows that the value was let through,
// otherwise 0; may run in place of diff_destination.
[[nodiscard]] PreparedPtr prepare_activation_backward(const Layout& layout, Activation activation);

// destination = act(source + source2); may run in place of either.
[[nodiscard]] PreparedPtr prepare_add(const Layout& layout, Activation activation);

// destination = source converted to the other type, each element at the same place.
[[nodiscard]] PreparedPtr prepare_conversion(const Layout& from, const Layout& to);

// destination = source * mask / (1 - rate). The mask is drawn for each element from StepInfo, the sample's place in the
// global batch and `stream`; it is kept in the workspace.
[[nodiscard]] PreparedPtr prepare_dropout(const Layout& layout, float rate, std::uint64_t stream);

// diff_source = diff_destination * mask / (1 - rate); may run in place.
[[nodiscard]] PreparedPtr prepare_dropout_backward(const Layout& layout, float rate);

}  // namespace convoy::kernels
